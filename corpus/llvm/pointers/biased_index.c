// A large constant that the index makes up for: correct, and not an access of a neighbour.
#include <effigy.h>
int z1[4], a[4] = {1, 2, 3, 4}, z2[4];
int main(void) {
  long i = effigy_long("i");
  effigy_assume(600000000 <= i && i < 600000004);
  int res = a[i - 600000000];
  effigy_assert(res == i - 600000000 + 1);
  return res;
}
