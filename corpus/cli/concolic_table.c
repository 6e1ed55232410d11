// A function that is called through a table is told by its name, and what holds of every input is left out.
#include <effigy.h>
static int zero(void) { return 0; }
static int one(void) { return 1; }
int main(void) {
  int (*table[2])(void) = {zero, one};
  return table[effigy_int("x") & 1]();
}
