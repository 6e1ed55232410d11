/* A text ends where its object ends. */
//@ entry: third
//@ flags: --string text:4
#include <string.h>

int third(const char *text) {
  if (strlen(text) > 2 && text[2] == 'q') return text[4]; //~ bug: out-of-bounds-read
  return 0;
}
