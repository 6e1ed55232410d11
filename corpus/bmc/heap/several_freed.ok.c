// Buffers, each of which is freed early where its caller asks for that, and is known to be gone from then on.
//@ verdict: correct
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int *buffer[8], sum = 0;
  unsigned char gone[8] = {0};
  for (int i = 0; i < 8; ++i) {
    buffer[i] = malloc(sizeof(int));
    if (!buffer[i]) return 1;
    *buffer[i] = i;
    if (__VERIFIER_nondet_uchar() % 2) {
      free(buffer[i]);
      gone[i] = 1;
    }
  }
  int last = __VERIFIER_nondet_uchar() % 8;
  if (!gone[last]) sum += *buffer[last];
  for (int i = 0; i < 8; ++i)
    if (!gone[i]) free(buffer[i]);
  return sum & 1;
}
//@ steps: run=1000000
