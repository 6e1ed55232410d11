#include <stdio.h>
int main(void) {
  char s[2];
  if (scanf("%s", s) != 1) return 0;
  return s[0] == 'x';
}
