#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  unsigned char v = 0; unsigned int s = 0; unsigned int i = 0;
  if (n == 0) return 0;
  while (i < n) { v = __VERIFIER_nondet_uchar(); s += v; ++i; }
  assert(s >= v);
}
