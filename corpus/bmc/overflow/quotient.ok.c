// A quotient, where the divisor is not 0.
//@ verdict: correct
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (b == 0) return 0;
  if (b == -1) return a == 1;
  int q = a / b;
  return q == 1;
}
