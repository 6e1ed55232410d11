// The days of a year that is an input.
#include <effigy.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
  struct tm tm = {.tm_year = 90 + effigy_choose(20), .tm_mon = 11, .tm_mday = 31};
  timegm(&tm);
  int year = 1900 + tm.tm_year;
  if (tm.tm_yday != 364 && year % 4 != 0) abort();
  return tm.tm_yday == 365;
}
