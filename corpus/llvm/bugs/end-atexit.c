// A handler of the program's end uses what was freed before it; the one that was registered later runs earlier.
#include <stdlib.h>
static int *g, order;
static void use(void) {
  if (order != 1) abort();
  *g = 1; //~ bug: use-after-free
}
static void later(void) { order = 1; }
int main(void) {
  g = malloc(sizeof *g);
  atexit(use);
  atexit(later);
  free(g);
  return 0;
}
