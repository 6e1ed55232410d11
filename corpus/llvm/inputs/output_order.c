// What printf writes waits in a buffer; what write writes does not.
//@ flags: --sym-stdin 1
#include <stdio.h>
#include <unistd.h>
int main(void) {
  printf("1");
  write(1, "2", 1);
  fflush(stdout);
  int c = getchar();
  if (c != EOF) putchar(c);
  write(1, "3\n", 2);
  return 0;
}
