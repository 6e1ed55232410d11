// A square root is not computed on symbols: along the run x keeps its value, and y is still followed.
#include <effigy.h>
#include <math.h>
#include <stdio.h>
int main(void) {
  int x = effigy_int("x"), y = effigy_int("y");
  double s = sqrt(x);
  if (s > 3.0)
    y++;
  printf("%.1f\n", s);
  if (y == 77)
    return 1;
  return (int)(s / 2.0f) == 3;
}
