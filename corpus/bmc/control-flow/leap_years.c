// The days of a year, by its months and by counting the leap years up to it.
// Centuries are no leap years, but every fourth is: the second half is missing.
//@ verdict: bug
//@ input: 417
#include <assert.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
static int is_leap(int year) { return year % 4 == 0 && year % 100 != 0; }
int main(void) {
  int year = 1583 + __VERIFIER_nondet_ushort() % 818;
  const int length[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int days = 0;
  for (int month = 0; month < 12; ++month) days += length[month] + (month == 1 && is_leap(year));
  // The leap years up to a year, and up to the one before.
  int until = year / 4 - year / 100 + year / 400, before = (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
  assert(days == 365 + until - before); //~ bug: assertion-failed
  return 0;
}
