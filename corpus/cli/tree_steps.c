#include <effigy.h>
int main(void) {
  int a = effigy_int("a");
  if (a > 0 && a < 1000) {
    int x = a - 1;
    if (x > 0) {
      int y = x - 1;
      if (y > 0)
        return 1;
      return 2;
    }
  }
  return 0;
}
