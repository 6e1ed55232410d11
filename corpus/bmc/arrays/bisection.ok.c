// A binary search finds what is there.
//@ verdict: correct
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  const int sorted[7] = {2, 3, 5, 7, 11, 13, 17};
  int key = __VERIFIER_nondet_int(), low = 0, high = 6, found = -1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] == key) {
      found = middle;
      break;
    }
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  assert(key != 11 || found == 4);
  return 0;
}
