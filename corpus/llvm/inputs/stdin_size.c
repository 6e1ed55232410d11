/* Standard input of a declared size is a file of that size. */
//@ flags: --sym-stdin 3
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  struct stat of;
  char bytes[8];
  if (fstat(0, &of) != 0 || !S_ISREG(of.st_mode)) abort();
  if (read(0, bytes, 8) != of.st_size) abort();
  return (int)of.st_size;
}
