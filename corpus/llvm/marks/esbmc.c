// Marks of ESBMC.
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
int nondet_int(void);
int main(void) {
  int x = nondet_int();
  __ESBMC_assume(x > 10);
  __ESBMC_assert(x > 11, "greater"); //~ bug: assertion-failed
  return 0;
}
