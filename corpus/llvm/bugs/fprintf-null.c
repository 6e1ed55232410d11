// A stream that could not be opened is null.
#include <stdio.h>
int main(void) {
  FILE *stream = 0;
  fprintf(stream, "x"); //~ bug: null-dereference
  return 0;
}
