// The middle of two numbers, as binary searches take it.
//@ verdict: correct
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= low && low <= high);
  int middle = low + (high - low) / 2;
  return middle < low || middle > high;
}
