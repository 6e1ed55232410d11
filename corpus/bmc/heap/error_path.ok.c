// A buffer is given back on each way out.
//@ verdict: correct
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *data = malloc(4 * sizeof *data);
  int size = __VERIFIER_nondet_int();
  if (size > 4) {
    free(data);
    return 1;
  }
  for (int i = 0; i < size; ++i) data[i] = i;
  free(data);
  return 0;
}
