// A square root is followed; where it is printed it keeps its value along the run.
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
