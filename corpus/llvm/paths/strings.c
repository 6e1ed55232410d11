//@ paths: 5
// strlen forks at each byte; what is printed and returned depends on the input.
#include <effigy.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char s[5];
  effigy_symbolic(s, 4, "s");
  s[4] = 0;
  size_t n = strlen(s);
  char copy[8];
  strcpy(copy, s);
  strcat(copy, "!");
  printf("%zu %d %c\n", n, strcmp(s, copy) < 0, copy[n]);
  return (int)n;
}
