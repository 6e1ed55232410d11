#include <effigy.h>
int main(void) {
  int x = effigy_int("x");
  effigy_assume(x > 5);
  effigy_assume(x < 3);
  return 1 / 0;
}
