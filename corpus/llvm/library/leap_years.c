// The days of years, and one that is chosen.
#include <effigy.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
  int which = effigy_choose(3), days = 0;
  for (int year = 95; year < 105; year++) {
    struct tm tm = {.tm_year = year, .tm_mon = 11, .tm_mday = 31};
    timegm(&tm);
    int full = 1900 + year;
    if ((tm.tm_yday == 365) != (full % 4 == 0)) abort();
    if (year - 95 == which) days = tm.tm_yday;
  }
  return days == 365;
}
