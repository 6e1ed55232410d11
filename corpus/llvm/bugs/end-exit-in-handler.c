// `exit` inside of a handler: the other handlers run, with the new code.
#include <effigy.h>
#include <stdlib.h>
static int seen;
static void last(int code, void *what) {
  if (code == 7 && *(int *)what == 5) abort(); //~ bug: abort
}
static void first(void) {
  if (seen) exit(7);
}
int main(void) {
  static int five = 5;
  on_exit(last, &five);
  atexit(first);
  seen = effigy_bool("seen");
  return 3;
}
