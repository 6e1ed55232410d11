// A cursor goes through a buffer up to a mark.
//@ verdict: correct
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char *start = malloc(4), *cursor = start;
  for (int i = 0; i < 3; ++i) start[i] = __VERIFIER_nondet_char();
  start[3] = 'x';
  while (*cursor != 'x') ++cursor;
  free(start);
  return 0;
}
