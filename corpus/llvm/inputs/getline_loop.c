// Lines of any length by getline, which brings and grows the buffer.
//@ flags: --sym-stdin 3
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  int lines = 0, ended = 0;
  while ((length = getline(&line, &room, stdin)) != -1) {
    if (line[length] != 0 || room <= (size_t)length) return 99;
    lines++;
    ended += line[length - 1] == '\n';
  }
  if (!feof(stdin)) return 98;
  free(line);
  printf("%d lines, %d ended\n", lines, ended);
  return 0;
}
