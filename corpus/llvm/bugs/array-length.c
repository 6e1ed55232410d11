#include <effigy.h>
int main(void) {
  int n = effigy_int("n");
  effigy_assume(n < 10);
  char text[n]; //~ bug: array-length
  text[0] = 1;
  return text[0] - 1;
}
