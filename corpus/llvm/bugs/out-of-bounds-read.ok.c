#include <effigy.h>
int main(void) {
  int a[4] = {1, 2, 3, 4};
  int i = effigy_int("i");
  effigy_assume(0 <= i && i <  4);
  return a[i];
}
