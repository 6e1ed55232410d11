// A variable ends with its block.
#include <effigy.h>
int main(void) {
  int *p, k = effigy_int("k");
  {
    int y = k;
    p = &y;
  }
  if (k == 4)
    return *p; //~ bug: use-after-scope
  return 0;
}
