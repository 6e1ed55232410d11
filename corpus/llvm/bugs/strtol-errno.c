// The usual check of strtol: errno says what does not fit.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
int main(void) {
  char *end;
  errno = 0;
  long value = strtol("99999999999999999999", &end, 10);
  if (value != LONG_MAX || *end) return 1;
  if (errno == ERANGE) abort(); //~ bug: abort
  return 0;
}
