// The amount is a long, of which clang drops the upper half before it shifts.
#include <effigy.h>
int main(void) {
  long long n = (long long)effigy_uint("n") << 30;
  int one = 1;
  return one << n; //~ bug: shift-too-large
}
