// Variables of the environment: one is known, one is an input.
//@ flags: --env LEVEL=3 --sym-env MODE 2
#include <stdlib.h>
#include <string.h>
int main(void) {
  const char *level = getenv("LEVEL"), *mode = getenv("MODE");
  if (!level || !mode || strcmp(level, "3") != 0) return 9;
  char copy[2];
  if (strcmp(mode, "v") == 0) return 1;
  strcpy(copy, mode); //~ bug: out-of-bounds-write
  return 0;
}
