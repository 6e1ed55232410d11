#include <effigy.h>
int main(void) {
  unsigned n = effigy_uint("n");
  effigy_assume(n <= 31);
  return (int)(1u << n) != 0;
}
