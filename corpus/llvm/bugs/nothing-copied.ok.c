// No bytes are copied from and to anywhere: behind the end, where a variable was, null.
#include <effigy.h>
#include <string.h>
int main(void) {
  int zero = effigy_uchar("zero") & 1, v[2] = {5, 7}, *p = v, *null = 0;
  {
    int w[2] = {1, 2};
    p = w;
  }
  if (zero)
    return 1;
  memcpy(v, p, zero * sizeof *v);
  memset(p, 1, zero * sizeof *p);
  memcpy(v, v + 3, zero * sizeof *v);
  memmove(null, v, zero * sizeof *v);
  return v[0];
}
