/* Reads settings like "rate=12" into a small table. There are bugs: effigy finds an input for each. */
#include <ctype.h>
#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>

struct setting {
  int value;
  char key[4];
};

static int parse(const char *text, struct setting *out) {
  int n = 0;
  while (*text && *text != '=') {
    if (!islower((unsigned char)*text)) return -1;
    if (n > 4) return -2; /* too long a key */
    out->key[n++] = *text++;
  }
  if (*text++ != '=') return -3;
  out->key[n] = 0;
  out->value = 0;
  while (isdigit((unsigned char)*text)) out->value = out->value * 10 + (*text++ - '0');
  return *text ? -4 : 0;
}

int main(void) {
  char text[8];
  effigy_symbolic(text, sizeof text - 1, "text");
  text[7] = 0;
  struct setting *setting = malloc(sizeof *setting);
  int result = parse(text, setting);
  if (result == 0) printf("%s: %d\n", setting->key, 100 / setting->value);
  free(setting);
  return -result;
}
