/* Insertion into a sorted sequence of five words: comparisons only. */
#include <effigy.h>

#ifndef N
#define N 6
#endif

int main(void) {
  int a[N];
  effigy_symbolic(a, sizeof a, "a");
  for (int i = 1; i < N; i++) {
    int moved = a[i], j = i;
    while (j > 0 && a[j - 1] > moved) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = moved;
  }
  for (int i = 0; i + 1 < N; i++) effigy_assert(a[i] <= a[i + 1]);
  return 0;
}
