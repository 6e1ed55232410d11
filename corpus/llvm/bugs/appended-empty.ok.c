// An empty string can be appended to the string that it ends.
#include <effigy.h>
#include <string.h>
int main(void) {
  char s[8] = "abc";
  s[effigy_choose(4)] = 0;
  if (s[0])
    return 0;
  strcat(s, s);
  return s[1];
}
