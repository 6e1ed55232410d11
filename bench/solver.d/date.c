/* The day of the week of a date: quotients and remainders by constants, a table of twelve months. */
#include <effigy.h>

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_of(int month, int year) {
  static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[month - 1] + (month == 2 && is_leap(year));
}

/* Zeller's congruence; 0 is a Saturday. */
static int weekday(int day, int month, int year) {
  if (month < 3) {
    month += 12;
    year -= 1;
  }
  int century = year / 100, rest = year % 100;
  return (day + 13 * (month + 1) / 5 + rest + rest / 4 + century / 4 + 5 * century) % 7;
}

int main(void) {
  int year = effigy_int("year"), month = effigy_int("month"), day = effigy_int("day");
  effigy_assume(year >= 1583 && year <= 9999);
  effigy_assume(month >= 1 && month <= 12);
  if (day < 1 || day > days_of(month, year)) return 1;
  int of_week = weekday(day, month, year);
  effigy_assert(of_week >= 0 && of_week < 7);
  if (day == 13 && of_week == 6) return 2;
  if (day == 29 && month == 2 && of_week == 1 && year % 100 == 0) return 3;
  return of_week == 0 ? 4 : 0;
}
