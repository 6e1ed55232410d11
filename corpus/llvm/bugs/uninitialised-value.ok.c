#include <effigy.h>
int main(void) {
  int x;
  int n = effigy_int("n");
  if (n >= 0) x = n;
  if (n >=  1 && x > 5)
    return 1;
  return 0;
}
