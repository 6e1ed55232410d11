/* locale.h, langinfo.h, libintl.h, and what of wchar.h depends on the locale: there is only that of C. */
char *setlocale(int category, const char *name) {
  (void)category;
  if (!name || !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0) return "C";
  return NULL;
}

/* The layout and the values of glibc. A number that the locale does not say is the largest of a char. */
struct lconv {
  char *texts[10];
  char numbers[14];
};

#ifdef __CHAR_UNSIGNED__
#define UNSAID 255
#else
#define UNSAID 127
#endif

struct lconv *localeconv(void) {
  static struct lconv of_c = {
      {".", "", "", "", "", "", "", "", "", ""},
      {UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID, UNSAID},
  };
  return &of_c;
}

static const char *const names[] = {
    "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat",
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
    "AM", "PM", "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p",
};

char *nl_langinfo(int item) {
  unsigned at = (unsigned)item - 0x20000;
  if (at < sizeof names / sizeof *names) return (char *)names[at];
  switch (item) {
    case 14: return "ANSI_X3.4-1968";
    case 0x10000: return ".";
    case 0x50000: return "^[yY]";
    case 0x50001: return "^[nN]";
  }
  return "";
}

size_t __ctype_get_mb_cur_max(void) { return 1; }

char *textdomain(const char *name) { return name && *name ? (char *)name : "messages"; }
char *bindtextdomain(const char *name, const char *folder) { return name && *name ? (char *)folder : NULL; }
char *bind_textdomain_codeset(const char *name, const char *codeset) { return name && *name ? (char *)codeset : NULL; }
char *gettext(const char *text) { return (char *)text; }
char *dgettext(const char *domain, const char *text) {
  (void)domain;
  return (char *)text;
}
char *dcgettext(const char *domain, const char *text, int category) {
  (void)domain, (void)category;
  return (char *)text;
}
char *ngettext(const char *one, const char *more, unsigned long n) { return (char *)(n == 1 ? one : more); }

int wcwidth(wchar_t c) {
  if (c == 0) return 0;
  return c >= 0x20 && c < 0x7f ? 1 : -1;
}

size_t mbrtowc(wchar_t *to, const char *from, size_t count, void *state) {
  (void)state;
  if (!from) return 0;
  if (count == 0) return (size_t)-2;
  unsigned char byte = (unsigned char)*from;
  if (byte >= 0x80) {
    *__errno_location() = 84;
    return (size_t)-1;
  }
  if (to) *to = byte;
  return byte != 0;
}
