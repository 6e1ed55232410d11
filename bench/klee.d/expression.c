// Sums, products, quotients and parentheses over one-digit numbers, by recursive descent.
#include <klee/klee.h>
#ifndef N
#define N 6
#endif
static const char *at;
static int failed;
static int sum(void);
static int atom(void) {
  if (*at == '(') {
    at++;
    int res = sum();
    if (*at != ')') failed = 1;
    else at++;
    return res;
  }
  if (*at < '0' || *at > '9') {
    failed = 1;
    return 0;
  }
  return *at++ - '0';
}
static int product(void) {
  int res = atom();
  while (!failed && (*at == '*' || *at == '/')) {
    char op = *at++;
    int right = atom();
    if (failed) break;
    if (op == '*') res *= right;
    else if (right == 0) failed = 1;
    else res /= right;
  }
  return res;
}
static int sum(void) {
  int res = product();
  while (!failed && (*at == '+' || *at == '-')) {
    char op = *at++;
    int right = product();
    res = op == '+' ? res + right : res - right;
  }
  return res;
}
int main(void) {
  char text[N + 1];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[N] == 0);
  at = text;
  int res = sum();
  if (failed || *at != 0) return 1;
  return res == 42 ? 2 : res < 0 ? 3 : 0;
}
