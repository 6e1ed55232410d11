// The name of the file is an argument; what is in it is counted. One file is there, all others are not.
//@ flags: --sym-arg 1 --sym-file A 2
//@ incomplete: opening a directory
#include <stdio.h>
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  if (!file) return 1;
  int c, words = 0;
  while ((c = getc(file)) != EOF) words += c == ' ';
  fclose(file);
  return words == 2 ? 3 : 0;
}
