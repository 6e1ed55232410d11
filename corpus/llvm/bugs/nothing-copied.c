// A length that can be 0 is no excuse for the others.
#include <effigy.h>
#include <string.h>
int main(void) {
  int length = effigy_uchar("length") & 3, v[2] = {5, 7}, *p = v;
  {
    int w[2] = {1, 2};
    p = w;
  }
  if (length < 2) {
    memcpy(v, p, length); //~ bug: use-after-scope
    return v[0];
  }
  memset(v + 3, 0, length - 2); //~ bug: out-of-bounds-write
  return v[1];
}
