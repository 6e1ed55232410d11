// A factorial in 32 bits.
//@ verdict: correct
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int n = __VERIFIER_nondet_int(), product = 1;
  __VERIFIER_assume(n <= 12);
  for (int i = 2; i <= n; ++i)
    product *= i;
  return product == 0;
}
