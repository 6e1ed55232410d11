// An index whose distance in bytes does not fit 64 bits is not the index that is left of it.
#include <effigy.h>
struct pair { int x, y; };
static int global[4] = {5, 6, 7, 8};
static int sink;
static long large = 1L << 62;

static void wrong(int way) {
  int a[4] = {1, 2, 3, 4};
  struct pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
  int grid[2][4] = {{1}};
  long back = -large;
  int *p = a + 2;
  switch (way) {
  case 0: sink = a[large]; break;                  //~ bug: out-of-bounds-read
  case 1: a[back] = 1; break;                              //~ bug: out-of-bounds-write
  case 2: sink = pairs[large / 2].y; break;        //~ bug: out-of-bounds-read
  case 3: grid[large / 4][1] = 2; break;                   //~ bug: out-of-bounds-write
  case 4: sink = *(p - large); break;              //~ bug: out-of-bounds-read
  case 5: sink = a[1L << 62]; break;               //~ bug: out-of-bounds-read
  case 6: global[1L << 62] = 1; break;                     //~ bug: out-of-bounds-write
  case 7: p += large / 2 - 1; p += large / 2 - 1; sink = *p; break; //~ bug: out-of-bounds-read
  case 8: if (p + large == p) sink = 1; break;     //~ bug: undefined-behaviour
  }
}

int main(void) {
  wrong(effigy_choose(9));
  return 0;
}
