//@ paths: 1
// Dates of known times, for clocks that show UTC.
#include <stdio.h>
#include <time.h>
int main(void) {
  time_t at = 1700000000;
  char text[64];
  struct tm *tm = gmtime(&at);
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %j %U %V %%", tm);
  puts(text);
  fputs(asctime(tm), stdout);
  tm->tm_mday += 40;
  printf("%ld %d\n", (long)timegm(tm), tm->tm_yday);
  return 0;
}
