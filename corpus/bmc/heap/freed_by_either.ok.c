// Two owners, either of which may let go of the record: the last one frees it.
//@ verdict: correct
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct record {
  int owners;
  int value;
};
int main(void) {
  struct record *it = malloc(sizeof *it);
  if (!it) return 1;
  it->owners = 2;
  it->value = 0;
  unsigned char first = __VERIFIER_nondet_uchar(), second = __VERIFIER_nondet_uchar();
  int left = 2;
  if (first & 1) {
    left--;
    if (--it->owners == 0) free(it);
  }
  if (second > 3) {
    left--;
    if (--it->owners == 0) free(it);
  }
  if (left == 2) free(it);
  if (left == 1) it->value++;
  if (left == 1) free(it);
  return 0;
}
