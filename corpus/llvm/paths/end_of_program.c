//@ paths: 2
// What handlers print, in order; main's own code is kept.
#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>
static void again(void) { puts("again"); }
static void one(void) { puts("one"); atexit(again); }
static void two(void) { puts("two"); }
__attribute__((destructor)) static void end(void) { puts("end"); fflush(stdout); }
__attribute__((constructor)) static void start(void) { puts("start"); }
int main(void) {
  atexit(one);
  atexit(two);
  if (effigy_bool("early")) exit(5);
  return 6;
}
