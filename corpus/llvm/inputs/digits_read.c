// A block is read, and its length is what the system says.
//@ flags: --sym-stdin 4
#include <stdio.h>
#include <unistd.h>
int main(void) {
  char block[16];
  int sum = 0;
  ssize_t count = read(0, block, sizeof block);
  if (count < 0) return 99;
  for (ssize_t at = 0; at < count; at++) sum += block[at] == '7';
  if (read(0, block, 1) != 0) return 98;
  write(1, "sum\n", 4);
  printf("%d\n", sum);
  if (block[count] == 5) sum = 0; //~ bug: uninitialised-value
  return 0;
}
