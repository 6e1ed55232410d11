// The digits of a number are written by recursion.
//@ verdict: correct
#include <assert.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
static char text[6];
static char *write(char *to, unsigned n) {
  if (n >= 10) to = write(to, n / 10);
  *to = (char)('0' + n % 10);
  return to + 1;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  char *end = write(text, n);
  *end = 0;
  assert(end - text <= 5);
  return 0;
}
