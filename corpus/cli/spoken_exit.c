/* What the parent process sees of an exit code: its last eight bits. */
#include <effigy.h>
#include <stdlib.h>

int main(void) {
  int n = effigy_int("n");
  if (n == 1) exit(300);
  if (n == 2) return -1;
  if (n > 1000) return n;
  return n & 1;
}
