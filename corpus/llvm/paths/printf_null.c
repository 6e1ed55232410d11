//@ paths: 1
// glibc writes the null pointer as a text.
#include <stdio.h>
int main(void) {
  return printf("%s %.3s|%8s\n", (char *)0, (char *)0, (char *)0);
}
