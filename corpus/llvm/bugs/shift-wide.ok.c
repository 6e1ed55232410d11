// What the program cuts by itself is the amount.
#include <effigy.h>
int main(void) {
  long long n = (long long)effigy_uint("n") << 30;
  int one = 1;
  unsigned char half = 200;
  half >>= (n & 3);
  return (one << (int)(n & 7)) + (int)((1LL << (n & 63)) & 1);
}
