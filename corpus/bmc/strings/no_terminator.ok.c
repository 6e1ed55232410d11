// The length of a text of at most four characters.
//@ verdict: correct
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char text[5];
  for (int i = 0; i < 4; ++i) text[i] = __VERIFIER_nondet_char();
  text[4] = 0;
  unsigned length = 0;
  while (text[length] != 0)
    ++length;
  assert(length <= 4);
  return 0;
}
