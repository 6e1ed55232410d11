//@ paths: 4
// _exit and quick_exit lose what standard output holds back.
#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void last(void) { puts("last"); }
int main(void) {
  printf("one %d\n", effigy_char("c") & 3);
  at_quick_exit(last);
  int way = effigy_choose(4);
  if (way & 1) fflush(stdout);
  puts("two");
  if (way & 2) quick_exit(4);
  _exit(3);
}
