// Two names of one buffer, which grows.
// The second name still means the old place.
//@ verdict: bug
//@ input: 0 3
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int *data = malloc(2 * sizeof *data), *first = data;
  data[0] = __VERIFIER_nondet_int();
  data[1] = 1;
  int wanted = __VERIFIER_nondet_uchar();
  if (wanted > 2) {
    int *larger = malloc(4 * sizeof *larger);
    for (int i = 0; i < 2; ++i) larger[i] = data[i];
    free(data);
    data = larger;
  }
  if (*first > 0) //~ bug: use-after-free
    data[1] = 2;
  free(data);
  return 0;
}
