// Insertion sort of N bytes, each order a path, and what sorting promises.
#include <klee/klee.h>
#ifndef N
#define N 6
#endif
#include <assert.h>
int main(void) {
  unsigned char a[N];
  klee_make_symbolic(a, sizeof a, "a");
  for (int i = 1; i < N; i++) {
    unsigned char it = a[i];
    int j = i;
    for (; j > 0 && a[j - 1] > it; j--) a[j] = a[j - 1];
    a[j] = it;
  }
  for (int i = 1; i < N; i++) assert(a[i - 1] <= a[i]);
  return 0;
}
