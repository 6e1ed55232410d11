//@ paths: 3
#include <effigy.h>
#include <stdarg.h>
#include <stdio.h>
static int total(int n, ...) {
  va_list list;
  va_start(list, n);
  int s = 0;
  for (int i = 0; i < n; i++) s += va_arg(list, int);
  va_end(list);
  return s;
}
int main(void) {
  int n = effigy_choose(3);
  printf("%5d|%-5d|%05d|%x|%s|%.2f\n", n, 2, 3, 255, "text", 1.5);
  return n == 0 ? total(0) : n == 1 ? total(1, 5) : total(2, 5, 6);
}
