// What printf has written comes before what write writes after it.
//@ flags: --sym-stdin 1
#include <stdio.h>
#include <unistd.h>
int main(void) {
  printf("1");
  write(1, "2", 1);
  int c = getchar();
  if (c != EOF) putchar(c);
  write(1, "3\n", 2);
  return 0;
}
