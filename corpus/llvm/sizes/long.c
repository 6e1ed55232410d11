// What is longer than any loop over characters goes: concrete texts are passed over at once.
//@ paths: 1
#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  size_t n = 17ul << 20;
  char *p = calloc(1, n), *q = malloc(n);
  if (!p || !q)
    return 1;
  p[n - 1] = 7;
  effigy_assert(memchr(p, 7, n) == p + n - 1);
  effigy_assert(memchr(p, 8, n) == 0);
  memset(q, 'a', n - 1);
  q[n - 1] = 0;
  effigy_assert(strlen(q) == n - 1);
  effigy_assert(strnlen(q, 100) == 100);
  q[n - 2] = 'b';
  effigy_assert(strchr(q, 'b') == q + n - 2);
  effigy_assert(strchr(q, 'c') == 0);
  effigy_assert(memcmp(p, q, n) < 0);
  memcpy(p, q, n);
  effigy_assert(memcmp(p, q, n) == 0);
  q[n - 2] = 'a';
  effigy_assert(memcmp(p, q, n) == 1);
  effigy_assert(memcmp(q, p, n) == -1);
  // A symbolic byte in the middle of it.
  q[5] = effigy_char("c");
  effigy_assume(q[5] != 0);
  effigy_assert(strlen(q) == n - 1);
  free(p);
  free(q);
  effigy_assert(snprintf(0, 0, "%100000d", 1) == 100000);
  effigy_assert(snprintf(0, 0, "%.100000d", 1) == 100000);
  return 0;
}
