// Two numbers are compared.
// By their difference, which need not fit.
//@ verdict: bug
//@ input: -2147483648 1
extern int __VERIFIER_nondet_int(void);
static int compare(int a, int b) {
  return a - b; //~ bug: signed-overflow
}
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  return compare(a, b) > 0;
}
