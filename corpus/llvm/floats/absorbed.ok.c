// A double has all integers of 32 bits.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int seconds;
  klee_make_symbolic(&seconds, sizeof seconds, "seconds");
  klee_assume(seconds >= 0);
  double time = seconds;
  if (time + 1 == time) abort();
  if ((int)time != seconds) abort();
  return 0;
}
