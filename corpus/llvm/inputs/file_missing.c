// A file that may not be there.
//@ incomplete: is taken not to exist
#include <stdio.h>
int main(void) {
  FILE *file = fopen("config", "r");
  int c = fgetc(file); //~ bug: null-dereference
  return c == '#';
}
