#include <assert.h>
#include <effigy.h>
int main(void) {
  unsigned char n = effigy_uchar("n");
  effigy_assume(n < 17);
  assert(n * n != 256); //~ bug: assertion-failed
  return 0;
}
