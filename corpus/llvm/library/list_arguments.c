// Arguments behind a va_list, with numbers that are inputs.
#include <effigy.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int say(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int res = vsnprintf(to, size, format, list);
  va_end(list);
  return res;
}
int main(void) {
  char b[32];
  signed char x = effigy_char("x");
  int n = say(b, sizeof b, "%s=%d (%ld)", "x", x, 5L);
  if (n != (int)strlen(b) || atoi(b + 2) != x) abort();
  return n;
}
