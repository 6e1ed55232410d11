// The same with exactly as many bytes as are said, as KLEE has it: a line is there.
//@ flags: -sym-stdin 2 --exact-sizes
//@ paths: 5
#include <stdio.h>
int main(void) {
  char line[8];
  fgets(line, sizeof line, stdin);
  if (line[0] == 'q') return 1;
  return 0;
}
