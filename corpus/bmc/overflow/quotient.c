// A quotient, where the divisor is not 0.
// There is one more that does not fit.
//@ verdict: bug
//@ input: -2147483648 -1
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (b == 0) return 0;
  int q = a / b; //~ bug: signed-overflow
  return q == 1;
}
