// A line without its end: the last character is lost.
//@ flags: --sym-stdin 3
#include <stdio.h>
#include <string.h>
int main(void) {
  char line[8];
  if (!fgets(line, sizeof line, stdin)) return 1;
  size_t length = strlen(line);
  line[length - 1] = 0; //~ bug: out-of-bounds-write
  int sum = 0;
  for (char *at = line; *at; at++) sum += *at == '1';
  return sum;
}
