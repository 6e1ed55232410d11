// A byte is written in hexadecimal digits and read again.
// The digit after '9' is taken for ':'.
//@ verdict: bug
//@ input: 13
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int digit(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }
int main(void) {
  unsigned byte = __VERIFIER_nondet_uchar();
  char text[2];
  for (int i = 0; i < 2; ++i) {
    unsigned half = byte >> 4 * (1 - i) & 15;
    text[i] = (char)(half <= 10 ? '0' + half : 'a' + half - 11);
  }
  assert(digit(text[0]) * 16 + digit(text[1]) == (int)byte); //~ bug: assertion-failed
  return 0;
}
