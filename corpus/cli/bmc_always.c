#include <assert.h>
#include <effigy.h>
int main(void) {
  int x = effigy_int("x");
  assert(x * 0 == 1);
}
