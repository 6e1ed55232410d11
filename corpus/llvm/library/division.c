// A division by zero inside of the library is the caller's.
#include <effigy.h>
#include <stdlib.h>
int main(void) {
  int b = effigy_choose(3);
  return div(7, b).quot; //~ bug: division-by-zero
}
