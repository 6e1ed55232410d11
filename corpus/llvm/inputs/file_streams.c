// Streams: what is written to a file is read again, by another stream and at another place.
//@ flags: --sym-file settings 2
#include <stdio.h>
#include <string.h>
int main(void) {
  FILE *in = fopen("settings", "r"), *out = fopen("copy", "w");
  if (!in || !out || fopen("missing", "r")) return 90;
  int c, n = 0;
  while ((c = fgetc(in)) != EOF) {
    n++;
    fputc(c, out);
  }
  if (!feof(in) || ftell(in) != n) return 91;
  fprintf(out, "<%d>", n);
  fputs("end", out);
  fclose(in);
  fclose(out);
  FILE *copy = fopen("copy", "r+");
  if (fseek(copy, n, SEEK_SET) != 0) return 92;
  char text[16];
  if (!fgets(text, sizeof text, copy) || text[0] != '<' || text[1] != '0' + n) return 93;
  if (strcmp(text + 2, ">end") != 0) return 94;
  rewind(copy);
  fseek(copy, -3, SEEK_END);
  fwrite("END", 1, 3, copy);
  rewind(copy);
  c = n ? fgetc(copy) : 0;
  if (n) ungetc(c, copy);
  if (ftell(copy) != 0) return 95;
  size_t got = fread(text, 1, sizeof text, copy);
  if (got != (size_t)n + 6 || memcmp(text + n + 3, "END", 3) != 0) return 96;
  fclose(copy);
  printf("%d\n", n);
  return c == 'x' ? 1 : 0;
}
