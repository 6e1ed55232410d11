/* What is called stays a call where the program is optimised: places and inputs are the same. */
//@ entry: third
//@ flags: -- -O2

static unsigned third(unsigned n) {
  return 30 / (n - 3); //~ bug: division-by-zero
}

unsigned twice(unsigned n) { return third(n + 1) + third(n); }
