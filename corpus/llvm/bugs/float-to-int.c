// A floating-point number that does not fit the integer that it is made.
#include <effigy.h>
int main(void) {
  double large = 1e10;
  int kept = (int)2e9;
  if (effigy_uchar("u")) return kept < 0;
  int lost = (int)large; //~ bug: undefined-behaviour
  return lost > 0;
}
