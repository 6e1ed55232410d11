// Options as getopt-less tools take them: `-n` and its number, in one argument or in two.
//@ flags: --sym-args 1 2 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  int slots[10] = {0};
  for (int at = 1; at < argc; at++) {
    char *option = argv[at];
    if (option[0] != '-' || option[1] != 'n') continue;
    const char *number = option[2] ? option + 2 : argv[++at];
    if (*number < '0' || *number > '9') return 2; //~ bug: null-dereference
    slots[*number - '0'] = 1;
  }
  return slots[3];
}
