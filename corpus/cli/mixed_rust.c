#include <effigy.h>

unsigned char twice(unsigned char n);

int main(void) {
  unsigned char n;
  effigy_symbolic(&n, sizeof n, "n");
  return n < 200 ? twice(n) : 0;
}
