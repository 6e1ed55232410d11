// fgets writes as many bytes as it is told to, and the buffer has fewer.
//@ flags: --sym-stdin 4
#include <stdio.h>
int main(void) {
  char word[3];
  if (!fgets(word, 8, stdin)) return 1; //~ bug: out-of-bounds-write
  return word[0] == 'a';
}
