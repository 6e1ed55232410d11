/* Four numbers of 16 bits are sorted; then the product of the outer ones is asked for. */
#include <effigy.h>

int main(void) {
  short a[4];
  effigy_symbolic(a, sizeof a, "a");
  for (int i = 0; i < 4; i++)
    for (int j = 0; j + 1 < 4 - i; j++)
      if (a[j] > a[j + 1]) {
        short kept = a[j];
        a[j] = a[j + 1];
        a[j + 1] = kept;
      }
  for (int i = 0; i + 1 < 4; i++) effigy_assert(a[i] <= a[i + 1]);
  if (a[0] * a[1] == 391) return 1;
  if (a[2] * a[3] == 391 && a[2] > 1) return 2;
  return 0;
}
