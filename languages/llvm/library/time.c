/* time.h, for clocks that show UTC. What time it is is not known here (`time` and `clock` are built in). */
typedef long time_t;

struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

static const char days[] = "Sunday\0   Monday\0   Tuesday\0  Wednesday\0Thursday\0 Friday\0   Saturday";
static const char months[] = "January\0  February\0 March\0    April\0    May\0      June\0     July\0     August\0   "
                             "September\0October\0  November\0 December";

static const char *day_name(int day) { return day < 0 || day > 6 ? "?" : days + 10 * day; }
static const char *month_name(int month) { return month < 0 || month > 11 ? "?" : months + 10 * month; }

static int is_leap(long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_before(int month, int leap) {
  static const short before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
  return before[month] + (leap && month > 1);
}

static long floor_div(long a, long b) { return a / b - (a % b < 0); }

/* Days from 1 January 1970 to 1 January of a year. */
static long days_to(long year) {
  long past = year - 1;
  return 365 * (year - 1970) + floor_div(past, 4) - floor_div(past, 100) + floor_div(past, 400) - 477;
}

/* The remainder that is not negative. */
static unsigned floor_rem(long a, unsigned b) { return (unsigned)(a % (long)b + (long)b) % b; }

/* Without loops and tables, so that a time of which nothing is known is one path. Years begin in March here, so that the
 * day which may be missing is their last: 400 of them have 146097 days, 100 have 36524, 4 have 1461, five months from
 * March or August have 153. Remainders that change nothing (of `year`, of `of_march`) say how large things are. */
static struct tm *broken_down(const time_t *at, struct tm *to, const char *zone) {
  long day = floor_div(*at, 86400);
  unsigned second = floor_rem(*at, 86400);
  /* 1 March of year 0 is 719468 days before 1970. */
  unsigned of_era = floor_rem(day + 719468, 146097);
  unsigned year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365 % 400;
  unsigned of_march = (of_era - (365 * year + year / 4 - year / 100)) % 366;
  unsigned month = (5 * of_march + 2) / 153;
  int is_next = month >= 10;
  long full = floor_div(day + 719468, 146097) * 400 + year + is_next;
  if (full - 1900 > 0x7fffffff || full - 1900 < -0x7fffffff - 1) {
    *__errno_location() = 75;
    return NULL;
  }
  int leap = is_leap((long)(year + is_next));
  to->tm_sec = (int)(second % 60);
  to->tm_min = (int)(second / 60 % 60);
  to->tm_hour = (int)(second / 3600);
  to->tm_mday = (int)(of_march - (153 * month + 2) / 5) + 1;
  to->tm_mon = (int)(is_next ? month - 10 : month + 2);
  to->tm_year = (int)(full - 1900);
  to->tm_wday = (int)floor_rem(day + 4, 7);
  to->tm_yday = is_next ? (int)of_march - 306 : (int)of_march + 59 + leap;
  to->tm_isdst = 0;
  to->tm_gmtoff = 0;
  to->tm_zone = zone;
  return to;
}

static struct tm shared;

struct tm *gmtime_r(const time_t *at, struct tm *to) { return broken_down(at, to, "GMT"); }
struct tm *localtime_r(const time_t *at, struct tm *to) { return broken_down(at, to, "UTC"); }
struct tm *gmtime(const time_t *at) { return gmtime_r(at, &shared); }
struct tm *localtime(const time_t *at) { return localtime_r(at, &shared); }

static time_t seconds(struct tm *from, const char *zone) {
  long months = 12 * (1900 + (long)from->tm_year) + from->tm_mon;
  long year = floor_div(months, 12);
  int month = (int)(months - 12 * year);
  long day = days_to(year) + days_before(month, is_leap(year)) + from->tm_mday - 1;
  time_t res = ((day * 24 + from->tm_hour) * 60 + from->tm_min) * 60 + from->tm_sec;
  if (!broken_down(&res, from, zone)) return -1;
  return res;
}

time_t mktime(struct tm *from) { return seconds(from, "UTC"); }
time_t timelocal(struct tm *from) { return seconds(from, "UTC"); }
time_t timegm(struct tm *from) { return seconds(from, "GMT"); }
double difftime(time_t later, time_t earlier) { return (double)(later - earlier); }

char *asctime_r(const struct tm *from, char *to) {
  snprintf(to, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", from->tm_wday < 0 || from->tm_wday > 6 ? "???" : day_name(from->tm_wday),
           from->tm_mon < 0 || from->tm_mon > 11 ? "???" : month_name(from->tm_mon), from->tm_mday, from->tm_hour,
           from->tm_min, from->tm_sec, 1900 + from->tm_year);
  return to;
}

char *asctime(const struct tm *from) {
  static char room[26];
  return asctime_r(from, room);
}

char *ctime_r(const time_t *at, char *to) {
  struct tm tm;
  return localtime_r(at, &tm) ? asctime_r(&tm, to) : NULL;
}

char *ctime(const time_t *at) { return localtime(at) ? asctime(&shared) : NULL; }

/* Weeks of ISO 8601: the year that a day's week belongs to, and its number. */
static int iso_week(const struct tm *tm, long *year) {
  int weekday = (tm->tm_wday + 6) % 7, week = (tm->tm_yday - weekday + 10) / 7;
  *year = 1900 + (long)tm->tm_year;
  if (week < 1) {
    *year -= 1;
    return (tm->tm_yday + (is_leap(*year) ? 366 : 365) - weekday + 10) / 7;
  }
  if (week == 53 && tm->tm_yday - weekday + 3 >= (is_leap(*year) ? 366 : 365)) {
    *year += 1;
    return 1;
  }
  return week;
}

size_t strftime(char *to, size_t size, const char *format, const struct tm *tm);

static int directive(char *to, size_t size, char letter, const struct tm *tm) {
  int hour = tm->tm_hour % 12 == 0 ? 12 : tm->tm_hour % 12;
  long year = 1900 + (long)tm->tm_year, week_year;
  const char *format = NULL;
  switch (letter) {
    case 'a': return snprintf(to, size, "%.3s", day_name(tm->tm_wday));
    case 'A': return snprintf(to, size, "%s", day_name(tm->tm_wday));
    case 'h':
    case 'b': return snprintf(to, size, "%.3s", month_name(tm->tm_mon));
    case 'B': return snprintf(to, size, "%s", month_name(tm->tm_mon));
    case 'C': return snprintf(to, size, "%ld", floor_div(year, 100));
    case 'd': return snprintf(to, size, "%02d", tm->tm_mday);
    case 'e': return snprintf(to, size, "%2d", tm->tm_mday);
    case 'g': return iso_week(tm, &week_year), snprintf(to, size, "%02ld", week_year - 100 * floor_div(week_year, 100));
    case 'G': return iso_week(tm, &week_year), snprintf(to, size, "%ld", week_year);
    case 'H': return snprintf(to, size, "%02d", tm->tm_hour);
    case 'I': return snprintf(to, size, "%02d", hour);
    case 'j': return snprintf(to, size, "%03d", tm->tm_yday + 1);
    case 'k': return snprintf(to, size, "%2d", tm->tm_hour);
    case 'l': return snprintf(to, size, "%2d", hour);
    case 'm': return snprintf(to, size, "%02d", tm->tm_mon + 1);
    case 'M': return snprintf(to, size, "%02d", tm->tm_min);
    case 'n': return snprintf(to, size, "\n");
    case 'p': return snprintf(to, size, tm->tm_hour < 12 ? "AM" : "PM");
    case 'P': return snprintf(to, size, tm->tm_hour < 12 ? "am" : "pm");
    case 'S': return snprintf(to, size, "%02d", tm->tm_sec);
    case 's': {
      struct tm copy = *tm;
      return snprintf(to, size, "%ld", mktime(&copy));
    }
    case 't': return snprintf(to, size, "\t");
    case 'u': return snprintf(to, size, "%d", tm->tm_wday == 0 ? 7 : tm->tm_wday);
    case 'U': return snprintf(to, size, "%02d", (tm->tm_yday + 7 - tm->tm_wday) / 7);
    case 'V': return snprintf(to, size, "%02d", iso_week(tm, &week_year));
    case 'w': return snprintf(to, size, "%d", tm->tm_wday);
    case 'W': return snprintf(to, size, "%02d", (tm->tm_yday + 7 - (tm->tm_wday + 6) % 7) / 7);
    case 'y': return snprintf(to, size, "%02ld", year - 100 * floor_div(year, 100));
    case 'Y': return snprintf(to, size, "%ld", year);
    case 'z': return snprintf(to, size, "%c%02ld%02ld", tm->tm_gmtoff < 0 ? '-' : '+',
                              (tm->tm_gmtoff < 0 ? -tm->tm_gmtoff : tm->tm_gmtoff) / 3600,
                              (tm->tm_gmtoff < 0 ? -tm->tm_gmtoff : tm->tm_gmtoff) / 60 % 60);
    case 'Z': return snprintf(to, size, "%s", tm->tm_zone ? tm->tm_zone : "");
    case '%': return snprintf(to, size, "%%");
    case 'c': format = "%a %b %e %H:%M:%S %Y"; break;
    case 'D':
    case 'x': format = "%m/%d/%y"; break;
    case 'F': format = "%Y-%m-%d"; break;
    case 'r': format = "%I:%M:%S %p"; break;
    case 'R': format = "%H:%M"; break;
    case 'T':
    case 'X': format = "%H:%M:%S"; break;
    default: return snprintf(to, size, "%%%c", letter);
  }
  /* All of these are short and none is empty. */
  return (int)strftime(to, size, format, tm);
}

size_t strftime(char *to, size_t size, const char *format, const struct tm *tm) {
  size_t at = 0;
  for (; *format; format++) {
    char room[128];
    size_t length = 1;
    room[0] = *format;
    if (*format == '%' && format[1]) {
      format++;
      if ((*format == 'E' || *format == 'O') && format[1]) format++;
      length = (size_t)directive(room, sizeof room, *format, tm);
    }
    if (length >= size - at || size == 0) return 0;
    memcpy(to + at, room, length);
    at += length;
  }
  if (at < size) to[at] = 0;
  return at;
}
