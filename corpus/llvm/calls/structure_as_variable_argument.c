// Structures of more than 16 bytes travel in memory, also among variable arguments.
#include <effigy.h>
#include <stdarg.h>
struct s { long a, b, c; };
struct t { char text[21]; };
static long sum(int n, ...) {
  va_list list;
  va_start(list, n);
  long res = va_arg(list, int);
  struct s s = va_arg(list, struct s);
  struct t t = va_arg(list, struct t);
  res += s.a + s.b + s.c + t.text[20] + va_arg(list, long);
  va_end(list);
  return res;
}
int main(void) {
  int x = effigy_uchar("x");
  struct s s = {1, x, 3};
  struct t t = {{0}};
  t.text[20] = 9;
  long res = sum(4, 5, s, t, 7L);
  s.b = 0;
  effigy_assert(res == 5 + 1 + x + 3 + 9 + 7);
  return 0;
}
