/* A stream is standard input. */
//@ entry: first_of
//@ flags: --sym-stdin 1
#include <stdio.h>

int first_of(FILE *from) {
  int c = fgetc(from);
  return c == 'x' ? 1 / (c - 'x') : 0; //~ bug: division-by-zero
}
