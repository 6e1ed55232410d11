/* An expression of digits with * and /: products of digits, quotients of digits, their overflow checks. */
#include <effigy.h>

static const char *at;

static int digit(int *out) {
  if (*at < '0' || *at > '9') return 0;
  *out = *at++ - '0';
  return 1;
}

static int term(int *out) {
  int next;
  if (!digit(out)) return 0;
  while (*at == '*' || *at == '/') {
    char op = *at++;
    if (!digit(&next)) return 0;
    if (op == '/') {
      if (next == 0) return 0;
      *out /= next;
    } else {
      *out *= next;
    }
  }
  return 1;
}

int main(void) {
  char text[8];
  int value;
  effigy_symbolic(text, sizeof text - 1, "text");
  text[7] = 0;
  at = text;
  if (!term(&value) || *at) return 1;
  if (value == 42) return 2;
  if (value > 300) return 3;
  if (value % 7 == 5) return 4;
  return 0;
}
