// A word gets a capital.
// The word is a constant.
//@ verdict: bug
//@ input: 0
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  char first[] = "effigy", *second = "state";
  char *word = __VERIFIER_nondet_bool() ? first : second;
  word[0] = (char)(word[0] - 'a' + 'A'); //~ bug: write-to-constant
  assert(word[0] == 'E' || word[0] == 'S');
  return 0;
}
