// Quicksort's partition: what is left of the border is smaller than the pivot.
//@ verdict: correct
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int cells[5], border = 0;
  for (int i = 0; i < 5; ++i) cells[i] = __VERIFIER_nondet_int();
  int pivot = cells[4];
  for (int i = 0; i < 4; ++i) {
    if (cells[i] < pivot) {
      int held = cells[i];
      cells[i] = cells[border];
      cells[border++] = held;
    }
  }
  for (int i = 0; i < border; ++i) assert(cells[i] < pivot);
  for (int i = border; i < 4; ++i) assert(cells[i] >= pivot);
  return 0;
}
//@ steps: bmc=1000000
