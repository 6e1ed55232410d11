// Any index: also those whose distance in bytes does not fit 64 bits, which look like others.
#include <effigy.h>
struct pair { int x, y; };

static int get(int *a, unsigned long i) {
  effigy_assume(i * sizeof(int) < 4 * sizeof(int));
  return a[i]; //~ bug: out-of-bounds-read
}

static void put(struct pair *a, long i) {
  effigy_assume(i < 0 && (unsigned long)i * sizeof(struct pair) < 3 * sizeof(struct pair));
  a[i].y = 1; //~ bug: out-of-bounds-write
}

static int twice(int *a, long i, long j) {
  effigy_assume(i > 0 && i < 1L << 61 && j > 0 && j < 1L << 61);
  effigy_assume((unsigned long)i * 4 + (unsigned long)j * 4 < -8UL + 1);
  effigy_assume((unsigned long)i * 4 + (unsigned long)j * 4 > -9UL);
  int *p = a + 2 + i;
  p += j;
  return *p; //~ bug: out-of-bounds-read
}

int main(void) {
  int a[4] = {1, 2, 3, 4};
  struct pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
  switch (effigy_choose(3)) {
  case 0: return get(a, effigy_ulong("i"));
  case 1: put(pairs, effigy_long("j")); break;
  case 2: return twice(a, effigy_long("k"), effigy_long("l"));
  }
  return 0;
}
