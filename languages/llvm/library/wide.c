/* wchar.h, wctype.h: wide characters in the C locale, of which only those below 128 belong to a class. */
size_t wcslen(const wchar_t *s) {
  size_t at = 0;
  while (s[at]) at++;
  return at;
}

size_t wcsnlen(const wchar_t *s, size_t most) {
  size_t at = 0;
  while (at < most && s[at]) at++;
  return at;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
  size_t at = 0;
  while ((to[at] = from[at])) at++;
  return to;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count) {
  size_t at = 0;
  for (; at < count && from[at]; at++) to[at] = from[at];
  for (; at < count; at++) to[at] = 0;
  return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  wcscpy(to + wcslen(to), from);
  return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t count) {
  wchar_t *end = to + wcslen(to);
  while (count-- > 0 && *from) *end++ = *from++;
  *end = 0;
  return to;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t count) {
  for (; count > 0; count--, a++, b++) {
    if (*a != *b) return *a < *b ? -1 : 1;
    if (!*a) break;
  }
  return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) { return wcsncmp(a, b, (size_t)-1); }

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  for (;; s++) {
    if (*s == c) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *res = NULL;
  for (;; s++) {
    if (*s == c) res = s;
    if (!*s) return (wchar_t *)res;
  }
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) {
  size_t length = wcslen(part);
  for (;; s++) {
    if (wcsncmp(s, part, length) == 0) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) { return memcpy(to, from, count * sizeof *to); }
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) { return memmove(to, from, count * sizeof *to); }

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count) {
  for (size_t at = 0; at < count; at++) to[at] = c;
  return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
  for (size_t at = 0; at < count; at++)
    if (a[at] != b[at]) return a[at] < b[at] ? -1 : 1;
  return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t count) {
  for (size_t at = 0; at < count; at++)
    if (s[at] == c) return (wchar_t *)(s + at);
  return NULL;
}

int iswdigit(wint_t c) { return c - '0' < 10; }
int iswlower(wint_t c) { return c - 'a' < 26; }
int iswupper(wint_t c) { return c - 'A' < 26; }
int iswalpha(wint_t c) { return iswlower(c) || iswupper(c); }
int iswalnum(wint_t c) { return iswalpha(c) || iswdigit(c); }
int iswblank(wint_t c) { return c == ' ' || c == '\t'; }
int iswspace(wint_t c) { return c == ' ' || c - '\t' < 5; }
int iswcntrl(wint_t c) { return c < 32 || c == 127; }
int iswgraph(wint_t c) { return c - 33 < 94; }
int iswprint(wint_t c) { return c - 32 < 95; }
int iswpunct(wint_t c) { return iswgraph(c) && !iswalnum(c); }
int iswxdigit(wint_t c) { return iswdigit(c) || (c | 32) - 'a' < 6; }
wint_t towlower(wint_t c) { return iswupper(c) ? c + 32 : c; }
wint_t towupper(wint_t c) { return iswlower(c) ? c - 32 : c; }

wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : WEOF; }
int wctob(wint_t c) { return c < 128 ? (int)c : -1; }
int mbsinit(const void *state) { return !state || *(const int *)state == 0; }
