// A text is copied into a smaller field, and cut.
//@ verdict: correct
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char from[6], to[4];
  for (int i = 0; i < 5; ++i) from[i] = __VERIFIER_nondet_char();
  from[5] = 0;
  int i = 0;
  for (; i < 3 && from[i] != 0; ++i) to[i] = from[i];
  to[i] = 0;
  assert(to[0] == from[0]);
  return 0;
}
