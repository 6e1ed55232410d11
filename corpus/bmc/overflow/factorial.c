// A factorial in 32 bits.
// Thirteen is one too many.
//@ verdict: bug
//@ input: 13
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int n = __VERIFIER_nondet_int(), product = 1;
  __VERIFIER_assume(n <= 13);
  for (int i = 2; i <= n; ++i)
    product *= i; //~ bug: signed-overflow
  return product == 0;
}
