/* string.h, strings.h, libgen.h: what cuts, searches and compares texts, beside what is built in. */
char *strtok_r(char *s, const char *separators, char **rest) {
  if (!s) s = *rest;
  s += strspn(s, separators);
  if (!*s) {
    *rest = s;
    return NULL;
  }
  char *end = s + strcspn(s, separators);
  if (*end) *end++ = 0;
  *rest = end;
  return s;
}

char *__strtok_r(char *s, const char *separators, char **rest) { return strtok_r(s, separators, rest); }

char *strtok(char *s, const char *separators) {
  static char *rest;
  return strtok_r(s, separators, &rest);
}

char *strsep(char **at, const char *separators) {
  char *s = *at;
  if (!s) return NULL;
  char *end = s + strcspn(s, separators);
  if (*end) {
    *end = 0;
    *at = end + 1;
  } else *at = NULL;
  return s;
}

char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c) s++;
  return (char *)s;
}

void *rawmemchr(const void *at, int c) {
  const unsigned char *s = at;
  while (*s != (unsigned char)c) s++;
  return (void *)s;
}

void *memrchr(const void *at, int c, size_t count) {
  const unsigned char *s = at;
  while (count > 0)
    if (s[--count] == (unsigned char)c) return (void *)(s + count);
  return NULL;
}

void *memmem(const void *at, size_t count, const void *part, size_t length) {
  const char *s = at;
  if (length == 0) return (void *)s;
  for (; count >= length; s++, count--)
    if (memcmp(s, part, length) == 0) return (void *)s;
  return NULL;
}

void *memccpy(void *to, const void *from, int c, size_t count) {
  unsigned char *target = to;
  const unsigned char *source = from;
  while (count-- > 0)
    if ((*target++ = *source++) == (unsigned char)c) return target;
  return NULL;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

char *strcasestr(const char *s, const char *part) {
  for (;; s++) {
    size_t at = 0;
    while (part[at] && lower((unsigned char)s[at]) == lower((unsigned char)part[at])) at++;
    if (!part[at]) return (char *)s;
    if (!*s) return NULL;
  }
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t count = length < size ? length : size - 1;
    memcpy(to, from, count);
    to[count] = 0;
  }
  return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t start = 0;
  while (start < size && to[start]) start++;
  if (start == size) return size + strlen(from);
  return start + strlcpy(to + start, from, size - start);
}

size_t strxfrm(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    memcpy(to, from, length < size ? length + 1 : size);
  }
  return length;
}

static int digit(char c) { return c >= '0' && c <= '9'; }

/* Numbers in texts compare by value, those that begin with 0 as fractions. */
int strverscmp(const char *a, const char *b) {
  size_t at = 0, run = 0;
  int zeros = 1;
  /* The shared beginning, with the digits at its end. */
  for (; a[at] == b[at]; at++) {
    if (!a[at]) return 0;
    if (!digit(a[at])) {
      run = at + 1;
      zeros = 1;
    } else if (a[at] != '0') zeros = 0;
  }
  int order = (unsigned char)a[at] - (unsigned char)b[at];
  if (digit(a[run]) && digit(b[run]) && a[run] != '0' && b[run] != '0') {
    size_t x = at, y = at;
    while (digit(a[x])) x++;
    while (digit(b[y])) y++;
    return x == y ? order : x > y ? 1 : -1;
  }
  if (run < at && zeros && digit(a[at]) != digit(b[at])) return digit(a[at]) ? -1 : 1;
  return order;
}

void swab(const void *from, void *to, ssize_t count) {
  const char *source = from;
  char *target = to;
  for (; count > 1; count -= 2, source += 2, target += 2) {
    char first = source[0];
    target[0] = source[1];
    target[1] = first;
  }
}

char *basename(const char *path) {
  const char *res = path;
  for (const char *at = path; *at; at++)
    if (*at == '/') res = at + 1;
  return (char *)res;
}

static char here[] = ".";

char *__xpg_basename(char *path) {
  if (!path || !*path) return here;
  size_t end = strlen(path), last = end;
  while (end > 0 && path[end - 1] == '/') end--;
  /* Nothing but slashes: the last of them. */
  if (end == 0) return path + last - 1;
  path[end] = 0;
  size_t start = end;
  while (start > 0 && path[start - 1] != '/') start--;
  return path + start;
}

char *dirname(char *path) {
  if (!path || !*path) return here;
  size_t length = strlen(path), end = length;
  while (end > 0 && path[end - 1] == '/') end--;
  if (end == 0) end = length;
  else
    while (end > 0 && path[end - 1] != '/') end--;
  if (end == 0) return here;
  /* The slashes in front of the name go, but for those of the root; two of them are a root of their own. */
  size_t slashes = end;
  while (slashes > 0 && path[slashes - 1] == '/') slashes--;
  path[slashes > 0 ? slashes : end == 2 ? 2 : 1] = 0;
  return path;
}

int ffsll(long long x) {
  for (int at = 0; at < 64; at++)
    if ((unsigned long long)x >> at & 1) return at + 1;
  return 0;
}

int ffsl(long x) { return ffsll(x); }
int ffs(int x) { return ffsll((unsigned)x); }
