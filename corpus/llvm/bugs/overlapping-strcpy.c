// strcpy to the left.
#include <string.h>
int main(void) {
  char s[8] = "abcdef";
  strcpy(s, s + 1); //~ bug: overlapping-copy
  return s[0];
}
