// A number in a base of 8, 10 or 16 is read, with its sign and its overflow; then some arithmetic on it.
#include <klee/klee.h>
#ifndef N
#define N 5
#endif
static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return 99;
}
int main(void) {
  char text[N + 1];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[N] == 0);
  const char *at = text;
  int negative = 0, base = 10, count = 0;
  if (*at == '-' || *at == '+') negative = *at++ == '-';
  if (*at == '0') {
    at++, count++;
    if (*at == 'x') base = 16, at++, count = 0;
    else base = 8;
  }
  int value = 0;
  for (; digit(*at) < base; at++, count++) {
    if (value > (0x7fff - digit(*at)) / base) return 1;
    value = value * base + digit(*at);
  }
  if (count == 0 || *at != 0) return 2;
  if (negative) value = -value;
  if (value % 7 == 3) return 3;
  return value * value == 1024 ? 4 : 0;
}
