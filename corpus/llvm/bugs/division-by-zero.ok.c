#include <effigy.h>
int main(void) {
  int n = effigy_int("n");
  effigy_assume(n >= 1 && n < 100);
  return 1000 / n;
}
