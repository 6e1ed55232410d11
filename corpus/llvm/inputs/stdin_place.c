/* Standard input of a declared size is a file: it has places, and a stream that has read has read all of it. */
//@ flags: --sym-stdin 3
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  if (lseek(0, 0, SEEK_CUR) != 0) abort();
  int c = getchar();
  long at = lseek(0, 0, SEEK_CUR);
  if (c == EOF ? at != 0 : at < 1 || at > 3) abort();
  return 0;
}
