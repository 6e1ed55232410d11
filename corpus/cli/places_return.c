#include <effigy.h>

int main(void) {
  int i = effigy_int("i");
  if (i > 9)
    return 1;
  int k = i & 7;
  return k + 1;
}
