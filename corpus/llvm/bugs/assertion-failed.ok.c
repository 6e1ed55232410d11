#include <assert.h>
#include <effigy.h>
int main(void) {
  unsigned char n = effigy_uchar("n");
  effigy_assume(n < 16);
  assert(n * n != 256);
  return 0;
}
