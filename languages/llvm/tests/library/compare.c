/* Compares the library that is compiled in with the machine's, on many inputs. Its functions are compiled under names
 * that begin with `own_`. The numbers are the same in each run. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <getopt.h>
#include <langinfo.h>
#include <libgen.h>
#include <locale.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#undef basename
char *basename(const char *);

static unsigned long compared, state = 1;

static unsigned random_below(unsigned n) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(state >> 33) % n;
}

#define CHECK(condition, ...) \
  do { \
    compared++; \
    if (!(condition)) { \
      printf("%s:%d: %s: ", __func__, __LINE__, #condition); \
      printf(__VA_ARGS__); \
      puts(""); \
      exit(1); \
    } \
  } while (0)

static int sign(int x) { return (x > 0) - (x < 0); }

static char *random_text(char *to, const char *letters, unsigned most) {
  unsigned length = random_below(most + 1), count = (unsigned)strlen(letters);
  for (unsigned i = 0; i < length; i++) to[i] = letters[random_below(count)];
  to[length] = 0;
  return to;
}

void own_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void own_qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
void *own_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));

struct element { unsigned short key, number, more[3]; };
static int by_key(const void *a, const void *b) {
  return (int)((const struct element *)a)->key - (int)((const struct element *)b)->key;
}
static int by_key_r(const void *a, const void *b, void *factor) { return *(int *)factor * by_key(a, b); }
/* The same order for all, also where keys are equal: a stable sort is not promised by the machine's. */
static int total(const void *a, const void *b) {
  int keys = by_key(a, b);
  return keys ? keys : (int)((const struct element *)a)->number - (int)((const struct element *)b)->number;
}

static void sorting(void) {
  for (int round = 0; round < 300; round++) {
    struct element a[40], b[40];
    unsigned count = random_below(41);
    for (unsigned i = 0; i < count; i++) a[i] = (struct element){(unsigned short)random_below(20), (unsigned short)i, {1, 2, 3}};
    memcpy(b, a, sizeof a);
    qsort(a, count, sizeof *a, total);
    own_qsort(b, count, sizeof *b, by_key);
    CHECK(memcmp(a, b, count * sizeof *a) == 0, "%u", count);
    int factor = -1;
    own_qsort_r(b, count, sizeof *b, by_key_r, &factor);
    for (unsigned i = 1; i < count; i++) CHECK(b[i - 1].key >= b[i].key, "%u", i);
    struct element key = {(unsigned short)random_below(20), 0, {0}};
    struct element *found = bsearch(&key, a, count, sizeof *a, by_key), *own = own_bsearch(&key, a, count, sizeof *a, by_key);
    CHECK(!found == !own && (!own || own->key == key.key), "%u", key.key);
  }
}

char *own_strtok(char *, const char *);
char *own_strtok_r(char *, const char *, char **);
char *own_strsep(char **, const char *);
char *own_strchrnul(const char *, int);
void *own_memrchr(const void *, int, size_t);
void *own_rawmemchr(const void *, int);
void *own_memmem(const void *, size_t, const void *, size_t);
void *own_memccpy(void *, const void *, int, size_t);
char *own_strcasestr(const char *, const char *);
size_t own_strlcpy(char *, const char *, size_t);
size_t own_strlcat(char *, const char *, size_t);
size_t own_strxfrm(char *, const char *, size_t);
int own_strverscmp(const char *, const char *);
void own_swab(const void *, void *, ssize_t);
char *own_basename(const char *);
char *own___xpg_basename(char *);
char *own_dirname(char *);
int own_ffs(int), own_ffsl(long), own_ffsll(long long);
char *__xpg_basename(char *);

#define SAME_TEXT(a, b) (!(a) == !(b) && (!(a) || strcmp(a, b) == 0))

static void texts(void) {
  for (int round = 0; round < 20000; round++) {
    char s[16], t[16], x[16], y[16], set[4];
    random_text(s, "ab,/0019.Z", 10);
    random_text(t, "ab,/0019.z", 4);
    random_text(set, ",/.", 3);
    strcpy(x, s);
    strcpy(y, s);
    char *own = own_strtok(x, set), *theirs = strtok(y, set);
    for (;;) {
      CHECK(SAME_TEXT(own, theirs), "%s %s", s, set);
      if (!own) break;
      CHECK(own - x == theirs - y, "%s %s", s, set);
      own = own_strtok(NULL, set);
      theirs = strtok(NULL, set);
    }
    char *a = strcpy(x, s), *b = strcpy(y, s);
    while (a) {
      own = own_strsep(&a, set);
      theirs = strsep(&b, set);
      CHECK(strcmp(own, theirs) == 0 && !a == !b, "%s %s", s, set);
    }
    CHECK(sign(own_strverscmp(s, t)) == sign(strverscmp(s, t)), "%s %s", s, t);
    unsigned shared = random_below(8);
    memcpy(t, s, shared);
    random_text(t + shared, "0019a", 4);
    t[shared] = t[shared] ? t[shared] : 0;
    CHECK(sign(own_strverscmp(s, t)) == sign(strverscmp(s, t)), "%s %s", s, t);
    random_text(t, "aB,Z", 3);
    size_t length = strlen(s);
    char c = "ab,\0"[random_below(4)];
    CHECK(own_strchrnul(s, c) == strchrnul(s, c), "%s", s);
    CHECK(own_memrchr(s, c, length) == memrchr(s, c, length), "%s", s);
    CHECK(own_rawmemchr(s, 0) == rawmemchr(s, 0), "%s", s);
    CHECK(own_memmem(s, length, t, strlen(t)) == memmem(s, length, t, strlen(t)), "%s %s", s, t);
    CHECK(own_strcasestr(s, t) == strcasestr(s, t), "%s %s", s, t);
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    a = own_memccpy(x, s, c, length + 1);
    b = memccpy(y, s, c, length + 1);
    CHECK((a ? a - x : -1) == (b ? b - y : -1) && memcmp(x, y, sizeof x) == 0, "%s", s);
    size_t size = random_below(16);
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    CHECK(own_strlcpy(x, s, size) == (size_t)snprintf(y, size, "%s", s) && memcmp(x, y, sizeof x) == 0, "%s", s);
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    CHECK(own_strxfrm(x, s, size) == strxfrm(y, s, size) && memcmp(x, y, size < length + 1 ? 0 : length + 1) == 0, "%s", s);
    strcpy(x, t);
    size_t joined = strlen(t) < size ? strlen(t) + length : size + length;
    CHECK(own_strlcat(x, s, size) == joined && (strlen(t) >= size || strlen(x) == (joined < size ? joined : size - 1)), "%s %s", s, t);
    CHECK(own_basename(s) == basename(s), "%s", s);
    strcpy(x, s);
    strcpy(y, s);
    CHECK(strcmp(own___xpg_basename(x), __xpg_basename(y)) == 0 && strcmp(x, y) == 0, "%s", s);
    strcpy(x, s);
    strcpy(y, s);
    CHECK(strcmp(own_dirname(x), dirname(y)) == 0 && strcmp(x, y) == 0, "%s", s);
    memset(x, 0, sizeof x);
    memset(y, 0, sizeof y);
    own_swab(s, x, (ssize_t)length);
    swab(s, y, (ssize_t)length);
    CHECK(memcmp(x, y, sizeof x) == 0, "%s", s);
    long bits = (long)random_below(1u << 31) << random_below(64);
    CHECK(own_ffs((int)bits) == ffs((int)bits) && own_ffsl(bits) == ffsl(bits) && own_ffsll(bits) == ffsll(bits), "%lx", bits);
  }
}

div_t own_div(int, int);
ldiv_t own_ldiv(long, long);
lldiv_t own_lldiv(long long, long long);
uint32_t own_htonl(uint32_t), own_ntohl(uint32_t);
uint16_t own_htons(uint16_t), own_ntohs(uint16_t);
int own_rand_r(unsigned *);

static void numbers(void) {
  unsigned a = 1, b = 1;
  for (int round = 0; round < 2000; round++) {
    int x = (int)random_below(1u << 31) - (1 << 30), y = (int)random_below(100) - 50;
    if (y == 0) y = 7;
    div_t d = div(x, y), own = own_div(x, y);
    CHECK(d.quot == own.quot && d.rem == own.rem, "%d %d", x, y);
    ldiv_t l = ldiv(x, y), own_l = own_ldiv(x, y);
    CHECK(l.quot == own_l.quot && l.rem == own_l.rem, "%d %d", x, y);
    CHECK(own_lldiv(x, y).rem == lldiv(x, y).rem, "%d %d", x, y);
    CHECK(own_htonl((unsigned)x) == htonl((unsigned)x) && own_ntohl((unsigned)x) == ntohl((unsigned)x), "%d", x);
    CHECK(own_htons((uint16_t)x) == htons((uint16_t)x) && own_ntohs((uint16_t)x) == ntohs((uint16_t)x), "%d", x);
    CHECK(own_rand_r(&a) == rand_r(&b) && a == b, "%u", b);
  }
}

int own_asprintf(char **, const char *, ...);

static void printing(void) {
  char *own, *theirs;
  for (int i = 0; i < 200; i++) {
    int n = own_asprintf(&own, "%*d|%s|%g", i, i * 7, "text", i / 3.0);
    CHECK(n == asprintf(&theirs, "%*d|%s|%g", i, i * 7, "text", i / 3.0) && strcmp(own, theirs) == 0, "%d", i);
    free(own);
    free(theirs);
  }
}

int own_sscanf(const char *, const char *, ...);

static void scanning(void) {
  static const char *const formats[] = {
      "%d%n", "%i %n%i", "%u,%u", "%x%n", "%o", "%hhd %hd", "%ld %lu", "%3d%2d%n", "%*d%d", "%s %s", "%5s%n", "%c%c%n",
      "%3c", "%[a-z]%n", "%[^,],%[]x]", "%lf%n", "%f %f", "%4lf%n", "a%db", " %d %%%d", "%d:%d:%d%n", "%[-a]%d", "%p",
  };
  for (int round = 0; round < 60000; round++) {
    char s[24];
    random_text(s, "0123789abxX -+,.:%e]", 14);
    const char *format = formats[random_below(sizeof formats / sizeof *formats)];
    union { char bytes[32]; long number; } a[3], b[3];
    memset(a, '#', sizeof a);
    memset(b, '#', sizeof b);
    errno = 0;
    int own = own_sscanf(s, format, &a[0], &a[1], &a[2]), own_errno = errno;
    errno = 0;
    int theirs = sscanf(s, format, &b[0], &b[1], &b[2]);
    CHECK(own == theirs, "`%s` `%s`: %d, not %d", s, format, own, theirs);
    CHECK(memcmp(a, b, sizeof a) == 0, "`%s` `%s`", s, format);
    CHECK(own_errno == errno, "`%s` `%s`", s, format);
  }
}

int own_fscanf(FILE *, const char *, ...);

static void scanning_streams(void) {
  static const char *const formats[] = {
      "%d%n", "%i %n%i", "%u,%u", "%x%n", "%o", "%hhd %hd", "%ld %lu", "%3d%2d%n", "%*d%d", "%s %s", "%5s%n", "%c%c%n",
      "%3c", "%[a-z]%n", "%[^,],%[]x]", "%lf%n", "%f %f", "%4lf%n", "a%db", " %d %%%d", "%d:%d:%d%n", "%[-a]%d", "%p",
      "%2i%n", "%lf%lf", "%3x%n",
  };
  for (int round = 0; round < 40000; round++) {
    char s[24];
    random_text(s, "0123789abxX -+,.:%e]pnif", 14);
    if (!*s) continue;
    const char *format = formats[random_below(sizeof formats / sizeof *formats)];
    union { char bytes[32]; long number; } a[3], b[3];
    memset(a, '#', sizeof a);
    memset(b, '#', sizeof b);
    FILE *here = fmemopen(s, strlen(s), "r"), *there = fmemopen(s, strlen(s), "r");
    errno = 0;
    int own = own_fscanf(here, format, &a[0], &a[1], &a[2]), own_errno = errno;
    errno = 0;
    int theirs = fscanf(there, format, &b[0], &b[1], &b[2]), their_errno = errno;
    CHECK(own == theirs, "`%s` `%s`: %d, not %d", s, format, own, theirs);
    CHECK(memcmp(a, b, sizeof a) == 0, "`%s` `%s`", s, format);
    CHECK(own_errno == their_errno, "`%s` `%s`", s, format);
    CHECK(ftell(here) == ftell(there), "`%s` `%s`: at %ld, not %ld", s, format, ftell(here), ftell(there));
    fclose(here);
    fclose(there);
  }
}

char *own_strerror(int), *own_strerror_r(int, char *, size_t);
int own___xpg_strerror_r(int, char *, size_t), __xpg_strerror_r(int, char *, size_t);

static void errors(void) {
  for (int error = -3; error < 200; error++) {
    char a[40] = "", b[40] = "";
    CHECK(strcmp(own_strerror(error), strerror(error)) == 0, "%d", error);
    CHECK(strcmp(own_strerror_r(error, a, sizeof a), strerror_r(error, b, sizeof b)) == 0, "%d", error);
    for (size_t size = 1; size < sizeof a; size += 9)
      CHECK(own___xpg_strerror_r(error, a, size) == __xpg_strerror_r(error, b, size) && strcmp(a, b) == 0, "%d %zu", error, size);
  }
}

struct tm *own_gmtime(const time_t *), *own_gmtime_r(const time_t *, struct tm *), *own_localtime(const time_t *);
time_t own_timegm(struct tm *), own_mktime(struct tm *);
char *own_asctime(const struct tm *), *own_ctime(const time_t *);
size_t own_strftime(char *, size_t, const char *, const struct tm *);

static int same_tm(const struct tm *a, const struct tm *b) {
  return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour && a->tm_mday == b->tm_mday &&
         a->tm_mon == b->tm_mon && a->tm_year == b->tm_year && a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday &&
         a->tm_isdst == b->tm_isdst && a->tm_gmtoff == b->tm_gmtoff && strcmp(a->tm_zone, b->tm_zone) == 0;
}

static void times(void) {
  setenv("TZ", "UTC", 1);
  for (int round = 0; round < 20000; round++) {
    time_t at = ((time_t)random_below(1u << 31) << random_below(round < 15000 ? 4 : 12)) * (random_below(3) ? 1 : -1);
    struct tm a, b;
    gmtime_r(&at, &a);
    CHECK(own_gmtime_r(&at, &b) == &b && same_tm(&a, &b), "%ld", at);
    CHECK(same_tm(localtime(&at), own_localtime(&at)), "%ld", at);
    if (a.tm_year >= -1900 && a.tm_year < 8000) {
      CHECK(strcmp(asctime(&a), own_asctime(&a)) == 0 && strcmp(ctime(&at), own_ctime(&at)) == 0, "%ld", at);
      char x[200], y[200];
      const char *format = "%a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %k %l %m %M %n %p %P %r %R %S %s %t %T %u %U %V %w %W %x %X %y %z %%";
      size_t size = random_below(8) ? sizeof x : random_below(100);
      for (int letter = 0; letter < 39; letter++) {
        char one[3] = {'%', "aAbBcCdDeFgGhHIjklmMnpPrRSstTuUVwWxXyzZ"[letter], 0};
        size_t n = own_strftime(x, sizeof x, one, &a), m = strftime(y, sizeof y, one, &a);
        CHECK(n == m && strcmp(x, y) == 0, "%s of %ld: %s, not %s", one, at, x, y);
      }
      size_t m = strftime(y, size, format, &a);
      CHECK(own_strftime(x, size, format, &a) == m && (m == 0 || strcmp(x, y) == 0), "%ld", at);
    }
    a.tm_mon += (int)random_below(100) - 50;
    a.tm_mday += (int)random_below(1000) - 500;
    a.tm_hour += (int)random_below(100) - 50;
    a.tm_sec += (int)random_below(100000) - 50000;
    b = a;
    CHECK(timegm(&a) == own_timegm(&b) && same_tm(&a, &b), "%ld", at);
    a.tm_min -= 1000;
    b = a;
    CHECK(mktime(&a) == own_mktime(&b) && same_tm(&a, &b), "%ld", at);
  }
}

extern char *own_optarg;
extern int own_optind, own_opterr, own_optopt;
int own_getopt(int, char *const *, const char *);

static void options(void) {
  static char *const words[] = {"-a", "-b", "-ab", "-ovalue", "-o", "file", "-", "--", "-x", "-pq", "-p", "-ba"};
  static const char *const letters[] = {"abo:", "+abo:", "-abo:", ":abo:p::", "abp::"};
  opterr = own_opterr = 0;
  for (int round = 0; round < 20000; round++) {
    char *a[8] = {"tool"}, *b[8] = {"tool"};
    int count = 1 + (int)random_below(6);
    for (int i = 1; i < count; i++) a[i] = b[i] = words[random_below(12)];
    const char *set = letters[random_below(5)];
    optind = own_optind = 0;
    for (int c = 0; c != -1;) {
      c = getopt(count, a, set);
      int own = own_getopt(count, b, set);
      CHECK(c == own && optind == own_optind && SAME_TEXT(optarg, own_optarg), "%s, argument %d: %d, not %d", set, optind, own, c);
      if (c == '?' || c == ':') CHECK(optopt == own_optopt, "%s", set);
    }
    for (int i = 0; i < count; i++) CHECK(a[i] == b[i], "%s: operand %d", set, i);
  }
}

size_t own_wcslen(const wchar_t *), own_wcsnlen(const wchar_t *, size_t);
wchar_t *own_wcscpy(wchar_t *, const wchar_t *), *own_wcsncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *own_wcscat(wchar_t *, const wchar_t *), *own_wcsncat(wchar_t *, const wchar_t *, size_t);
int own_wcscmp(const wchar_t *, const wchar_t *), own_wcsncmp(const wchar_t *, const wchar_t *, size_t);
wchar_t *own_wcschr(const wchar_t *, wchar_t), *own_wcsrchr(const wchar_t *, wchar_t), *own_wcsstr(const wchar_t *, const wchar_t *);
wchar_t *own_wmemset(wchar_t *, wchar_t, size_t), *own_wmemchr(const wchar_t *, wchar_t, size_t);
int own_wmemcmp(const wchar_t *, const wchar_t *, size_t);
#define CLASS(name) int own_isw##name(wint_t);
#define CLASSES(each) \
  each(alnum) each(alpha) each(blank) each(cntrl) each(digit) each(graph) each(lower) each(print) each(punct) each(space) \
      each(upper) each(xdigit)
CLASSES(CLASS)
wint_t own_towlower(wint_t), own_towupper(wint_t), own_btowc(int);
int own_wctob(wint_t);

static void wide(void) {
  for (wint_t c = 0; c < 400; c++) {
#define SAME_CLASS(name) CHECK(!own_isw##name(c) == !isw##name(c), #name " %u", c);
    CLASSES(SAME_CLASS)
    CHECK(own_towlower(c) == towlower(c) && own_towupper(c) == towupper(c) && own_wctob(c) == wctob(c), "%u", c);
  }
  for (int c = -1; c < 256; c++) CHECK(own_btowc(c) == btowc(c), "%d", c);
  for (int round = 0; round < 5000; round++) {
    wchar_t s[24] = {0}, t[24] = {0}, x[24] = {0}, y[24] = {0};
    for (unsigned i = random_below(6); i > 0; i--) s[i - 1] = L"ab\x20ac"[random_below(3)];
    for (unsigned i = random_below(4); i > 0; i--) t[i - 1] = L"ab\x20ac"[random_below(3)];
    size_t n = random_below(6);
    CHECK(own_wcslen(s) == wcslen(s) && own_wcsnlen(s, n) == wcsnlen(s, n), "%zu", n);
    CHECK(sign(own_wcscmp(s, t)) == sign(wcscmp(s, t)) && sign(own_wcsncmp(s, t, n)) == sign(wcsncmp(s, t, n)), "%zu", n);
    CHECK(sign(own_wmemcmp(s, t, n)) == sign(wmemcmp(s, t, n)) && own_wmemchr(s, L'b', n) == wmemchr(s, L'b', n), "%zu", n);
    CHECK(own_wcschr(s, L'b') == wcschr(s, L'b') && own_wcsrchr(s, L'a') == wcsrchr(s, L'a') && own_wcsstr(s, t) == wcsstr(s, t), "%zu", n);
    own_wcscpy(x, s), wcscpy(y, s);
    own_wcscat(x, t), wcscat(y, t);
    own_wcsncat(x, s, n), wcsncat(y, s, n);
    CHECK(wmemcmp(x, y, 24) == 0, "%zu", n);
    own_wcsncpy(x, t, n), wcsncpy(y, t, n);
    own_wmemset(x + 12, L'c', n), wmemset(y + 12, L'c', n);
    CHECK(wmemcmp(x, y, 24) == 0, "%zu", n);
  }
}

int own_swprintf(wchar_t *, size_t, const wchar_t *, ...);

/* Both print the same, or both fail. */
#define SAME_WIDE(...)                                                                                  \
  do {                                                                                                  \
    wchar_t x[40] = {0}, y[40] = {0};                                                                   \
    size_t room = random_below(4) ? 40 : random_below(12);                                              \
    unsigned long before = state; /* the arguments are drawn again */                                  \
    int own = own_swprintf(x, room, __VA_ARGS__);                                                       \
    state = before;                                                                                     \
    int real = swprintf(y, room, __VA_ARGS__);                                                          \
    CHECK(own == real && (real < 0 || wcscmp(x, y) == 0), "%d %d %ls %ls in %zu", own, real, x, y, room); \
  } while (0)

static void wide_print(void) {
  const wchar_t *ints[] = {L"%d", L"<%5d>", L"%-6x|", L"%+.3d", L"%08d%%", L"%#o", L"% i", L"%u", L"%X", L"%hhd", L"%hx", L"%.0d"};
  const wchar_t *longs[] = {L"%ld", L"<%12lld>", L"%-16zx|", L"%jd", L"%+.14td", L"%lo"};
  const wchar_t *doubles[] = {L"%f", L"%.2f", L"<%12g>", L"%e", L"%-10.1f|", L"%+.0f", L"%A"};
  const wchar_t *texts[] = {L"%s", L"<%6s>", L"%-5s|", L"%.2s", L"%3.1s", L"%hs"};
  const wchar_t *wides[] = {L"%ls", L"<%6ls>", L"%-5ls|", L"%.2ls", L"a\x20ac%3.1ls"};
  const int numbers[] = {0, 1, -1, 42, 255, 65536, -2147483647 - 1, 2147483647};
  const double reals[] = {0, -0.0, 1, -2.5, 3.14159, 1e20, 1e-7};
  const char *words[] = {"", "a", "hello", "\xe9"};
  const wchar_t *wide_words[] = {L"", L"b", L"wide\x20ac"};
#define ANY(of) (of)[random_below(sizeof(of) / sizeof *(of))]
  for (int round = 0; round < 5000; round++) {
    SAME_WIDE(ANY(ints), ANY(numbers));
    SAME_WIDE(ANY(longs), (long)ANY(numbers) * 65537);
    SAME_WIDE(ANY(doubles), ANY(reals));
    SAME_WIDE(ANY(texts), ANY(words));
    SAME_WIDE(ANY(wides), ANY(wide_words));
    int width = (int)random_below(9) - 4, precision = (int)random_below(6) - 2;
    SAME_WIDE(L"%*d|%-*d|%.*d", width, 7, width, -8, precision, 9);
    SAME_WIDE(L"%*s|%.*ls|%*.*f", width, "ab", precision, L"xyz", width, precision, 2.25);
    SAME_WIDE(L"%c%3c%-3lc|", 'a' + (int)random_below(26), 'b', (wint_t)0x20ac);
  }
}

char *own_setlocale(int, const char *);
char *own_nl_langinfo(int);
int own_wcwidth(wchar_t);
size_t own_mbrtowc(wchar_t *, const char *, size_t, void *);
size_t own___ctype_get_mb_cur_max(void);
struct lconv *own_localeconv(void);

/* Byte for byte where no pointers are, so that a number at another place is seen. */
static void compare_localeconv(void) {
  struct lconv *real = localeconv(), *own = own_localeconv();
  char **real_texts = (char **)real, **own_texts = (char **)own;
  for (int i = 0; i < 10; i++)
    CHECK(strcmp(real_texts[i], own_texts[i]) == 0, "%d: %s, %s", i, real_texts[i], own_texts[i]);
  CHECK(strcmp(own->decimal_point, ".") == 0, "%s", own->decimal_point);
  size_t numbers = offsetof(struct lconv, int_frac_digits);
  CHECK(numbers == 10 * sizeof(char *), "%zu", numbers);
  CHECK(memcmp((char *)real + numbers, (char *)own + numbers, 14) == 0, "%d", own->frac_digits);
  CHECK(own->int_n_sign_posn == real->int_n_sign_posn, "%d", own->int_n_sign_posn);
}

static void compare_locale(void) {
  setlocale(LC_ALL, "C");
  const char *names[] = {NULL, "", "C", "POSIX", "no such locale"};
  for (int i = 2; i < 5; i++) {
    char *real = setlocale(LC_ALL, names[i]), *own = own_setlocale(LC_ALL, names[i]);
    CHECK(!real == !own && (!real || strcmp(real, own) == 0), "%s", names[i]);
  }
  for (int item = 0x20000; item < 0x2002c; item++)
    CHECK(strcmp(nl_langinfo(item), own_nl_langinfo(item)) == 0, "%x: %s", item, own_nl_langinfo(item));
  int items[] = {CODESET, RADIXCHAR, THOUSEP, YESEXPR, NOEXPR};
  for (int i = 0; i < 5; i++)
    CHECK(strcmp(nl_langinfo(items[i]), own_nl_langinfo(items[i])) == 0, "%x: %s", items[i], own_nl_langinfo(items[i]));
  compare_localeconv();
  CHECK(MB_CUR_MAX == own___ctype_get_mb_cur_max(), "MB_CUR_MAX");
  for (wchar_t c = 0; c < 0x300; c++) CHECK(wcwidth(c) == own_wcwidth(c), "%d", c);
  for (int byte = 0; byte < 256; byte++) {
    wchar_t real = 77, own = 77;
    char text[2] = {(char)byte, 0};
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t size = mbrtowc(&real, text, 1, &state);
    CHECK(own_mbrtowc(&own, text, 1, NULL) == size, "%d", byte);
    CHECK(size == (size_t)-1 || real == own, "%d", byte);
  }
}

extern char *own_optarg;
extern int own_optind, own_optopt, own_opterr;
int own_getopt_long(int, char *const *, const char *, const struct option *, int *);

static void compare_getopt_long(void) {
  const char *words[] = {"--all", "--al", "--a", "--bytes=3", "--bytes", "--by", "--b", "--opt", "--opt=x", "-a", "-b", "-b3",
                         "-ab", "--", "-", "x", "--none", "--none=", "--all=1", "--flag", "-x", "--bits", "--="};
  int real_flag, own_flag;
  struct option real_options[] = {{"all", 0, NULL, 'a'}, {"bytes", 1, NULL, 'b'}, {"bits", 1, NULL, 'B'},
                                  {"opt", 2, NULL, 'o'}, {"flag", 0, &real_flag, 7}, {"alias", 0, NULL, 'a'}, {NULL, 0, NULL, 0}};
  struct option own_options[7];
  memcpy(own_options, real_options, sizeof own_options);
  own_options[4].flag = &own_flag;
  const char *letters[] = {"ab:", "+ab:", "-ab:", ":ab:"};
  opterr = own_opterr = 0;
  for (int turn = 0; turn < 40000; turn++) {
    char *real_words[8] = {"p"}, *own_words[8] = {"p"};
    int count = 1 + (int)random_below(6);
    for (int i = 1; i < count; i++)
      real_words[i] = own_words[i] = (char *)words[random_below(sizeof words / sizeof *words)];
    const char *set = letters[random_below(4)];
    optind = own_optind = 0;
    real_flag = own_flag = 0;
    for (int at = 0; at < 10; at++) {
      int real_index = -1, own_index = -1;
      int real = getopt_long(count, real_words, set, real_options, &real_index);
      int own = own_getopt_long(count, own_words, set, own_options, &own_index);
      CHECK(real == own && optind == own_optind, "%d %d, %d %d: %s %s", real, own, optind, own_optind, set, real_words[1]);
      CHECK(real_flag == own_flag, "%d %d", real_flag, own_flag);
      CHECK(optarg == own_optarg, "%s %s", optarg, own_optarg);
      if (real != '?') CHECK(real_index == own_index, "%d %d", real_index, own_index);
      else CHECK(optopt == own_optopt, "%d %d: %s", optopt, own_optopt, real_words[1]);
      for (int i = 0; i < count; i++) CHECK(real_words[i] == own_words[i], "%d", i);
      if (real == -1) break;
    }
  }
}

int main(void) {
  compare_locale();
  compare_getopt_long();
  sorting();
  texts();
  numbers();
  printing();
  scanning();
  scanning_streams();
  errors();
  times();
  options();
  wide();
  wide_print();
  printf("%lu comparisons\n", compared);
  return 0;
}
