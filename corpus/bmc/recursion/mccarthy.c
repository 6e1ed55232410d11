// McCarthy's function is 91 up to 101, and n - 10 above.
// The border is one too far.
//@ verdict: bug
//@ input: 102
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 90 && n <= 110);
  int got = f(n);
  assert(got == (n <= 102 ? 91 : n - 10)); //~ bug: assertion-failed
  return 0;
}
