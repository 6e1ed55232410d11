// A stream has read ahead, nobody knows how far: what its descriptor gives then is not predicted.
//@ flags: --sym-stdin 2
//@ incomplete: both by a stream and by its descriptor
#include <stdio.h>
#include <unistd.h>
int main(void) {
  char c;
  if (getchar() == 'x') return 1;
  return read(0, &c, 1) == 1;
}
