// A buffer that grows where it must; what was a place in it before is used after.
//@ verdict: bug
//@ input: 9 1
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char wanted = __VERIFIER_nondet_uchar(), way = __VERIFIER_nondet_uchar();
  int *data = malloc(4 * sizeof *data);
  if (!data) return 1;
  data[3] = 5;
  int *place = &data[3];
  if (wanted > 4 && wanted < 16) {
    data = realloc(data, wanted * sizeof *data);
    if (!data) return 1;
    if (way & 2) place = &data[3];
  }
  *place = 6; //~ bug: use-after-free
  free(data);
  return 0;
}
