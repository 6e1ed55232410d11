// Buffers, each of which is freed early where its caller asks for that.
// The one that is read at the end may be one of these.
//@ verdict: bug
//@ input: 0 0 0 1 0 0 0 0 3
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int *buffer[8], sum = 0;
  for (int i = 0; i < 8; ++i) {
    buffer[i] = malloc(sizeof(int));
    if (!buffer[i]) return 1;
    *buffer[i] = i;
    if (__VERIFIER_nondet_uchar() % 2) free(buffer[i]);
  }
  int last = __VERIFIER_nondet_uchar() % 8;
  sum += *buffer[last]; //~ bug: use-after-free
  return sum & 1;
}
