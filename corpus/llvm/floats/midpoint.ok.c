// The middle of an interval lies in it.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  float low, high;
  klee_make_symbolic(&low, sizeof low, "low");
  klee_make_symbolic(&high, sizeof high, "high");
  klee_assume((low >= 0) & (low <= high) & (high <= 1));
  float middle = (low + high) / 2;
  if (middle < low || middle > high) abort();
  return 0;
}
