// What an unknown function is given at a symbolic place it may write, too.
//@ incomplete: fill
#include <effigy.h>
extern void fill(char *into);
int main(void) {
  char text[4];
  unsigned at = effigy_uint("at");
  effigy_assume(at < 4);
  fill(text + at);
  return text[3] == 'x';
}
