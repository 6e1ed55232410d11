// KLEE's names of files, one dash; a file that is made anew needs no other.
//@ flags: -sym-files 2 2 -sym-args 0 1 1
#include <stdio.h>
int main(int argc, char **argv) {
  FILE *a = fopen("A", "rb"), *b = fopen("B", "rb"), *out = fopen("./sum", "w+");
  if (!a || !b || !out) return 9;
  int x = getc(a), y = getc(b);
  if (x == EOF || y == EOF) return 8;
  fprintf(out, "%d", argc > 1 && argv[1][0] == 'x' ? 1 : 2);
  rewind(out);
  char text[4];
  int table[3] = {0, 1, 2};
  if (!fgets(text, sizeof text, out)) return 7;
  if (x == 'x' && y == 'y') return table[text[0] - '0' + 1]; //~ bug: out-of-bounds-read
  return 0;
}
