// What is mapped to be read cannot be written; what is mapped is not from malloc, and is gone when it is unmapped.
//@ flags: --sym-file map 2
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
  int file = open("map", O_RDONLY);
  unsigned char first, second;
  if (pread(file, &second, 1, 1) != 1 || read(file, &first, 1) != 1) return 9;
  char *text = mmap(NULL, 2, PROT_READ, MAP_PRIVATE, file, 0);
  char *own = mmap(NULL, 2, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (text[0] != (char)first || own[1] != (char)second) abort();
  if (first == 'w' && second == 'r') text[0] = 0; //~ bug: write-to-constant
  own[0] = 1;
  if (first == 'f' && second == 'r') free(own); //~ bug: invalid-free
  munmap(own, 2);
  if (first == 'g' && second == 'o') return own[0]; //~ bug: use-after-free
  return munmap(text, 2);
}
