// A file with a length in its first byte, which nobody compares with what is there.
//@ flags: --sym-file data.bin 4
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  FILE *file = fopen("data.bin", "rb");
  if (!file) return 1;
  int length = fgetc(file);
  if (length == EOF || length > 100) {
    fclose(file);
    return 2;
  }
  unsigned char body[3];
  size_t got = fread(body, 1, sizeof body, file);
  if (ferror(file)) return 3;
  fclose(file);
  int sum = 0;
  for (int at = 0; at < length; at++) {
    if (at >= (int)sizeof body) sum++;
    if (length <= (int)got || at >= 2) sum += body[at] != 0; //~ bug: out-of-bounds-read
  }
  return sum;
}
