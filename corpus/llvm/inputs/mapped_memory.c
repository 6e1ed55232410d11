// Anonymous memory is zero and ends with its page.
//@ flags: --sym-stdin 1
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
  int n = getchar();
  unsigned char *at = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED || at[n & 63] != 0) return 9;
  if (mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) return 8;
  if (n == 200) return at[n * 20 + 100]; //~ bug: out-of-bounds-read
  at[4095] = 1;
  return munmap(at, 4096);
}
