// The digits of a line are added, character by character.
//@ flags: --sym-stdin 3
#include <ctype.h>
#include <stdio.h>
int main(void) {
  int sum = 0, c;
  while ((c = getchar()) != EOF && c != '\n')
    if (c >= '0' && c <= '9') sum += c - '0';
  if (c == '\n') {
    int again = ungetc(c, stdin);
    if (getc(stdin) != again) return 99;
  } else if (!feof(stdin) || ferror(stdin)) {
    return 98;
  }
  printf("%d\n", sum);
  return sum / 9;
}
