#include <effigy.h>
static int *keep;
static int other = 1;
static void set(int n) {
  int local = n;
  keep = n > 9 ? &local : &other;
}
int main(void) {
  int n = effigy_int("n");
  effigy_assume(n <= 10);
  set(n);
  return *keep; //~ bug: use-after-scope
}
