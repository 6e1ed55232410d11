//@ paths: 1
// A pipe behind streams.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char line[16];
  if (pipe(ends) != 0) return 1;
  FILE *in = fdopen(ends[0], "r"), *out = fdopen(ends[1], "w");
  fprintf(out, "one %d\ntwo\n", 1);
  fclose(out);
  while (fgets(line, sizeof line, in)) printf("[%zu]%s", strlen(line), line);
  return feof(in) ? fclose(in) : 2;
}
