#include <effigy.h>
#ifndef N
#define N 6
#endif
int main(void) {
  int a[N];
  effigy_symbolic(a, sizeof a, "a");
  for (int i = 1; i < N; i++) {
    int x = a[i], j = i - 1;
    while (j >= 0 && a[j] > x) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
  for (int i = 0; i + 1 < N; i++) effigy_assert(a[i] <= a[i + 1]);
  return 0;
}
