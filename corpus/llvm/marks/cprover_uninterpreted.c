//@ paths: 2
// An uninterpreted function returns the same where it is given the same, and otherwise anything.
#include <assert.h>
#include <effigy.h>
int __CPROVER_uninterpreted_f(int, int);
_Bool __CPROVER_uninterpreted_equal(const void *, const void *);
int main(void) {
  int x = effigy_int("x"), y = effigy_int("y");
  int a = __CPROVER_uninterpreted_f(x, 1), b = __CPROVER_uninterpreted_f(y, 1), c = __CPROVER_uninterpreted_f(x, 2);
  if (x == y) assert(a == b);
  assert(__CPROVER_uninterpreted_equal(&x, &y) == __CPROVER_uninterpreted_equal(&x, &y));
  assert(a == c); //~ bug: assertion-failed
  return 0;
}
