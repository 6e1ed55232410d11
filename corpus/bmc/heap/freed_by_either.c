// Two owners, either of which may let go of the record; the second one looks at the wrong sign of that.
//@ verdict: bug
//@ input: 1 4
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
    free(it);
  }
  if (second > 3) {
    left--;
    free(it); //~ bug: double-free
  }
  if (left == 2) free(it);
  return 0;
}
