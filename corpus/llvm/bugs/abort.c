#include <effigy.h>
#include <stdlib.h>
int main(void) {
  char s[4];
  effigy_symbolic(s, sizeof s, "s");
  if (s[0] == 'b' && s[1] == 'u' && s[2] == 'g' && s[3] == 0)
    abort(); //~ bug: abort
  return 0;
}
