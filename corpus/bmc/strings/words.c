// The words of a text, counted by their starts and by their ends.
// A word that ends with the text has no end.
//@ verdict: bug
//@ input: 1 1 0 1 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  char text[6];
  for (int i = 0; i < 5; ++i) text[i] = __VERIFIER_nondet_bool() ? 'a' : ' ';
  text[5] = 0;
  int starts = 0, ends = 0;
  for (int i = 0; text[i] != 0; ++i) {
    if (text[i] != ' ' && (i == 0 || text[i - 1] == ' ')) ++starts;
    if (text[i] != ' ' && text[i + 1] == ' ') ++ends;
  }
  assert(starts == ends); //~ bug: assertion-failed
  return 0;
}
