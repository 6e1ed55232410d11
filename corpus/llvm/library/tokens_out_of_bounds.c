// A bug inside of the library is the caller's: a text without an end.
#include <effigy.h>
#include <string.h>
int main(void) {
  char s[3] = {'a', 'b', 'c'};
  s[effigy_choose(3)] = effigy_char("c");
  return strtok(s, ",") == s; //~ bug: out-of-bounds-read
}
