// Nobody has said what standard input is: it is any text of a few bytes, and the run says so.
//@ incomplete: --sym-stdin
#include <stdio.h>
int main(void) {
  char name[4];
  int c, n = 0;
  while ((c = getchar()) != EOF && c != '\n') {
    if (c < 0 || c > 255) return 99;
    name[n++] = (char)c; //~ bug: out-of-bounds-write
  }
  return 0;
}
