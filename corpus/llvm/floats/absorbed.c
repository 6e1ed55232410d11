// A small number that is added to a large one is lost.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int seconds;
  klee_make_symbolic(&seconds, sizeof seconds, "seconds");
  klee_assume(seconds >= 0);
  float time = seconds;
  if (time + 1 == time) abort(); //~ bug: abort
  return 0;
}
