/* Functions whose arguments nobody can make up, or that stand twice. */
#include <stdarg.h>

struct hidden;

int calls(int (*f)(int), int x) { return f(x); }
int takes_hidden(struct hidden *h) { return h != 0; }
int takes_list(const char *format, va_list list) { return format[0] + va_arg(list, int); }
int takes_nameless(struct { int x; } *p) { return p->x; }
int none(void) { return 0; }
static int here(int x) { return x > 2; }
int of_here(void) { return here(1); }
