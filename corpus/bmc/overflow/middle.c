// The middle of two numbers, as binary searches take it.
// The sum of two numbers need not fit.
//@ verdict: bug
//@ input: 1 2147483647
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= low && low <= high);
  int middle = (low + high) / 2; //~ bug: signed-overflow
  return middle < low || middle > high;
}
