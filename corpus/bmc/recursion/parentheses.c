// A parser of nested parentheses by recursive descent.
// The end of the text is not looked for after an opening one.
//@ verdict: bug
//@ input: 1 1 0 1 1
extern _Bool __VERIFIER_nondet_bool(void);
static char text[5];
static int at;
static int nested(void) {
  int depth = 0;
  while (text[at] == '(') { //~ bug: out-of-bounds-read
    ++at;
    int inner = nested();
    if (inner + 1 > depth) depth = inner + 1;
    if (at < 5 && text[at] == ')') ++at;
    if (at >= 5) return depth;
  }
  return depth;
}
int main(void) {
  for (int i = 0; i < 5; ++i) text[i] = __VERIFIER_nondet_bool() ? '(' : ')';
  return nested() > 5;
}
