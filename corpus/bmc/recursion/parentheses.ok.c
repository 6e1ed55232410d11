// A parser of nested parentheses by recursive descent.
//@ verdict: correct
extern _Bool __VERIFIER_nondet_bool(void);
static char text[5];
static int at;
static int nested(void) {
  int depth = 0;
  while (at < 5 && text[at] == '(') {
    ++at;
    int inner = nested();
    if (inner + 1 > depth) depth = inner + 1;
    if (at < 5 && text[at] == ')') ++at;
  }
  return depth;
}
int main(void) {
  for (int i = 0; i < 5; ++i) text[i] = __VERIFIER_nondet_bool() ? '(' : ')';
  return nested() > 5;
}
