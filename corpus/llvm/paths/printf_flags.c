//@ paths: 1
// Corners of printf's flags, widths and precisions.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
static int list(const char *format, ...) {
  va_list args;
  char b[64];
  va_start(args, format);
  va_list again;
  va_copy(again, args);
  int n = vprintf(format, args);
  int m = vsnprintf(b, sizeof b, format, again);
  va_end(again);
  va_end(args);
  puts(b);
  return n == m ? n : -1;
}
int main(void) {
  int n = 0, sum = 0;
  sum += printf("[%*d] [%-*d]\n", -6, 42, -5, 7);
  sum += printf("[%.*f] [%.*s]\n", -1, 3.5, -1, "abc");
  sum += printf("[%#o] [%#o] [%#.0o] [%#x] [%.0d]\n", 0, 8, 0, 0, 0);
  sum += printf("[%05f] [%05f] [%-6f] [%+.0f]\n", -INFINITY, NAN, INFINITY, 2.0);
  sum += printf("[%#g] [%#.0f] [%#.0e] [%g] [%#.3g]\n", 1.5, 2.0, 3.0, 1e-5, 1000000.0);
  sum += printf("[%s] [%.3s] [%8s] [%-8s|\n", "text", "text", "text", "text");
  sum += printf("%d%n\n", 12345, &n);
  sum += printf("[%p] [%hhd] [%hu] [%lld] [%zu] [%c]\n", (void *)0, 300, 70000, -5ll, sizeof n, 'x');
  sum += fprintf(stderr, "hi\n") + putchar(0x141) + fputc('\n', stdout) + puts("five") + fputs("x", stdout);
  sum += list("%d %s %5.2f|%c|%ld\n", -3, "list", 2.5, 'z', 1234567890123l);
  return (sum + n) % 256;
}
