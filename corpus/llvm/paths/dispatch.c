//@ paths: 4
// Calls through a table of functions, one path for each callee.
#include <effigy.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int first(int a, int b) { (void)b; return a; }
static int (*const table[])(int, int) = {add, sub, first};
int main(void) {
  unsigned op = effigy_uint("op");
  if (op >= 3) return -1;
  return table[op](40, 2);
}
