// A buffer that grows where it must; the place in it is found anew.
//@ verdict: correct
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char wanted = __VERIFIER_nondet_uchar();
  int *data = malloc(4 * sizeof *data);
  if (!data) return 1;
  data[3] = 5;
  int *place = &data[3];
  if (wanted > 4 && wanted < 16) {
    data = realloc(data, wanted * sizeof *data);
    if (!data) return 1;
    place = &data[3];
  }
  assert(*place == 5);
  *place = 6;
  free(data);
  return 0;
}
