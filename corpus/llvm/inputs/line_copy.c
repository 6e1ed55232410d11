// A reader of lines that forgets the room for the end.
//@ flags: --sym-stdin 5
#include <stdio.h>
static int read_line(char *to, int room) {
  int c, n = 0;
  while (n < room && (c = getc(stdin)) != EOF && c != '\n') to[n++] = (char)c;
  to[n] = 0; //~ bug: out-of-bounds-write
  return n;
}
int main(void) {
  char line[4];
  return read_line(line, sizeof line);
}
