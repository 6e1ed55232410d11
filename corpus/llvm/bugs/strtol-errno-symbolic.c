// errno of a number whose digits are inputs.
#include <effigy.h>
#include <errno.h>
#include <stdlib.h>
int main(void) {
  char text[21] = "9223372036854775800";
  text[18] = effigy_char("last");
  effigy_assume(text[18] >= '0' && text[18] <= '9');
  errno = 0;
  long value = strtol(text, NULL, 10);
  if (errno == ERANGE) abort(); //~ bug: abort
  return value == 9223372036854775807 ? 1 : 0;
}
