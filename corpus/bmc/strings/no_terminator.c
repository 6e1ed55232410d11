// The length of a text of at most four characters.
// There is room for the text, none for its end.
//@ verdict: bug
//@ input: -39 9 4 3
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char text[4];
  for (int i = 0; i < 4; ++i) text[i] = __VERIFIER_nondet_char();
  unsigned length = 0;
  while (text[length] != 0) //~ bug: out-of-bounds-read
    ++length;
  assert(length <= 4);
  return 0;
}
