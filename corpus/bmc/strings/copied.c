// A text is copied into a smaller field, and cut.
// The end is written behind what was copied.
//@ verdict: bug
//@ input: -39 9 4 3 5
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char from[6], to[4];
  for (int i = 0; i < 5; ++i) from[i] = __VERIFIER_nondet_char();
  from[5] = 0;
  int i = 0;
  for (; i < 4 && from[i] != 0; ++i) to[i] = from[i];
  to[i] = 0; //~ bug: out-of-bounds-write
  assert(to[0] == from[0]);
  return 0;
}
