// Standard input can be empty: then nothing was read.
//@ flags: --sym-stdin 2
#include <stdio.h>
int main(void) {
  char line[8];
  fgets(line, sizeof line, stdin);
  if (line[0] == 'q') line[1] = 0; //~ bug: uninitialised-value
  return 0;
}
