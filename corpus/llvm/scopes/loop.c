// In each round the variable lives again; between rounds it does not; leaving by break, continue, return and goto.
#include <effigy.h>
static int use(int *p) { return *p; }
static int run(int k) {
  int *p = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    int y = k + i;
    sum += use(&y);
    if (k == 1)
      p = &y;
    if (k == 2)
      break;
    if (k == 3)
      return use(&y);
    if (k == 4)
      goto out;
    if (k == 5)
      continue;
    sum += y;
  }
out:
  if (p)
    return *p; //~ bug: use-after-scope
  return sum;
}
int main(void) {
  int k = effigy_int("k");
  effigy_assume(0 <= k && k < 8);
  return run(k);
}
