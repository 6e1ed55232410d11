// Pairs (i, j) with j < i < n are n over 2.
// The inner loop counts the diagonal, too; with n < 2 nobody sees it.
//@ verdict: bug
//@ input: 2
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(n < 9);
  unsigned pairs = 0;
  for (unsigned i = 1; i < n; ++i)
    for (unsigned j = 0; j <= i; ++j)
      ++pairs;
  assert(n == 0 || pairs == n * (n - 1) / 2); //~ bug: assertion-failed
  return 0;
}
