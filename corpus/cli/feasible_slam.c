#include <assert.h>
#include <effigy.h>

int main(void) {
  int x = effigy_int("x");
  assert(x != 7);
  if (x > 3)
    return 1;
  return 0;
}
