// Two functions that call each other.
//@ verdict: correct
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int is_odd(int n);
static int is_even(int n) {
  if (n == 0) return 1;
  return is_odd(n > 0 ? n - 1 : n + 1);
}
static int is_odd(int n) {
  if (n == 0) return 0;
  return is_even(n > 0 ? n - 1 : n + 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= -9 && n <= 9);
  assert(is_even(n) == (n % 2 == 0));
  return 0;
}
