// A number with a sign is read from a text.
//@ verdict: correct
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
static int read(const char *text) {
  int sign = 1, value = 0, digits = 0;
  if (*text == '-') sign = -1, ++text;
  for (; *text >= '0' && *text <= '9'; ++text, ++digits) value = 10 * value + (*text - '0');
  return sign * value;
}
int main(void) {
  char text[4];
  for (int i = 0; i < 3; ++i) text[i] = __VERIFIER_nondet_char();
  text[3] = 0;
  int value = read(text);
  assert(text[0] != '-' || value <= 0);
  assert(value >= -99 && value <= 999);
  return 0;
}
