#include <effigy.h>
int main(void) {
  unsigned n = effigy_uint("n");
  effigy_assume(n <= 32);
  return (int)(1u << n) != 0; //~ bug: shift-too-large
}
