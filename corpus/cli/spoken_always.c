/* Whatever the input is. */
#include <effigy.h>

int main(void) {
  int n = effigy_int("n"), *at = 0;
  return *at + n;
}
