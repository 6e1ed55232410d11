#include <effigy.h>
int main(void) {
  int n = effigy_int("n");
  effigy_assume(n >= 0 && n < 100);
  return 1000 / n; //~ bug: division-by-zero
}
