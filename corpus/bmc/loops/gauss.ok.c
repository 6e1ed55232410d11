// The sum of the first n numbers, against its closed form.
//@ verdict: correct
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 20);
  int sum = 0;
  for (int i = 1; i <= n; ++i) sum += i;
  assert(sum == n * (n + 1) / 2);
  return 0;
}
