#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar(), s = 0, i = 0;
  while (i < n) {
    unsigned char v = __VERIFIER_nondet_uchar();
    short h = __VERIFIER_nondet_short();
    s += v;
    int product = h * h - v;
    int mean = ((s >> 1) + (v & 15) + 1000) / 3;
    assert(product > -256 && mean > 0);
    i++;
  }
}
