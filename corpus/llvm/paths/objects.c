// A pointer that may name several objects forks over them.
#include <effigy.h>
int main(void) {
  int a[2] = {1, 2}, b[3] = {3, 4, 5}, c = 6;
  int *all[3] = {a, b, &c};
  unsigned which = effigy_uint("which"), at = effigy_uint("at");
  effigy_assume(which < 3 && at < 2);
  effigy_assume(which != 2 || at == 0);
  int value = all[which][at];
  effigy_assert(value == (which == 0 ? 1 : which == 1 ? 3 : 6) + (int)at);
  return value;
}
