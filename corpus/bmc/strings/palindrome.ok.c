// A text that reads the same from both ends.
//@ verdict: correct
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
static int is_palindrome(const char *text, int n) {
  for (int i = 0; i < n / 2; ++i)
    if (text[i] != text[n - 1 - i]) return 0;
  return 1;
}
int main(void) {
  char text[6];
  for (int i = 0; i < 6; ++i) text[i] = __VERIFIER_nondet_char();
  if (is_palindrome(text, 6)) assert(text[2] == text[3]);
  return 0;
}
