// A buffer is given back on each way out.
// An error gives it back, and falls into the common end.
//@ verdict: bug
//@ input: 5
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *data = malloc(4 * sizeof *data);
  int size = __VERIFIER_nondet_int();
  if (size > 4) {
    free(data);
    size = 0;
  }
  for (int i = 0; i < size; ++i) data[i] = i;
  free(data); //~ bug: double-free
  return 0;
}
