// An array is reversed in place.
// The middle is passed: with an even length the two middle cells are swapped back.
//@ verdict: bug
//@ input: 2 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define N 6
int main(void) {
  int cells[N], copy[N];
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n <= N);
  for (int i = 0; i < n; ++i) copy[i] = cells[i] = __VERIFIER_nondet_int();
  for (int i = 0, j = n - 1; i <= n / 2; ++i, --j) {
    int held = cells[i];
    cells[i] = cells[j];
    cells[j] = held;
  }
  for (int i = 0; i < n; ++i) assert(cells[i] == copy[n - 1 - i]); //~ bug: assertion-failed
  return 0;
}
