int foo(int x, int y) { int __VERIFIER_nondet_int(void);
  if (x > y) {
    y = x;
  }
  y = y - x;
  if (y > 7) {
    x = __VERIFIER_nondet_int();
  }
  return x + y;
}
