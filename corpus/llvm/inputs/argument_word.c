// One word of all that an argument can be leads to the bug.
//@ flags: --sym-args 0 2 4
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  int table[4] = {1, 2, 3, 4};
  if (argc < 2) {
    printf("usage: %s WORD\n", argv[0]);
    return 2;
  }
  int at = strcmp(argv[1], "-all") == 0 ? 4 : 3;
  return table[at]; //~ bug: out-of-bounds-read
}
