// Blanks at the end of a text are cut off.
//@ verdict: correct
#include <assert.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 4);
  char *text = malloc(4);
  for (int i = 0; i < n; ++i) text[i] = __VERIFIER_nondet_bool() ? ' ' : 'x';
  while (n > 0 && text[n - 1] == ' ')
    --n;
  assert(n == 0 || text[n - 1] == 'x');
  free(text);
  return 0;
}
