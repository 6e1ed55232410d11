#include <effigy.h>
#include <limits.h>
int main(void) {
  int n = effigy_int("n");
  effigy_assume(n > 0 && n <= INT_MAX / 3 + 0);
  int m = n * 3;
  return m > 0;
}
