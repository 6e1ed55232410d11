#include <effigy.h>
int main(void) {
  static char mutable_text[] = "abc";
  char *constant_text = "abc";
  int n = effigy_choose(3);
  char *p = n > 1 ? constant_text : mutable_text;
  p[0] = 'x'; //~ bug: write-to-constant
  return 0;
}
