// Glob patterns over symbolic bytes: *, ?, character classes. More than a thousand paths.
#include <effigy.h>
#ifndef N
#define N 5
#endif

static int class_holds(const char *p, char c) {
  int inside = 0;
  for (; *p && *p != ']'; p++) {
    if (p[1] == '-' && p[2]) {
      if (p[0] <= c && c <= p[2]) inside = 1;
      p += 2;
    } else if (*p == c) {
      inside = 1;
    }
  }
  return inside;
}

static int matches(const char *p, const char *s) {
  for (; *p; p++) {
    if (*p == '*') {
      for (;; s++) {
        if (matches(p + 1, s)) return 1;
        if (!*s) return 0;
      }
    }
    if (!*s) return 0;
    if (*p == '[') {
      if (!class_holds(p + 1, *s)) return 0;
      while (*p && *p != ']') p++;
      if (!*p) return 0;
    } else if (*p != '?' && *p != *s) {
      return 0;
    }
    s++;
  }
  return !*s;
}

int main(void) {
  char pattern[N + 1];
  effigy_symbolic(pattern, N, "pattern");
  pattern[N] = 0;
  return matches(pattern, "abab");
}
