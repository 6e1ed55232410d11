// The digits of a number that is not known are characters like any other.
#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char b[8];
  unsigned char x = effigy_uchar("x");
  int n = snprintf(b, sizeof b, "%u", x);
  if (n != (int)strlen(b)) abort();
  if (atoi(b) != x) abort();
  int m = snprintf(b, 4, "<%05x|%-4hhd>", x, (signed char)x);
  if (m != 12 || strlen(b) != 3 || b[0] != '<') abort();
  if (snprintf(NULL, 0, "%c%s", x, "ab") != 3) abort();
  return n;
}
