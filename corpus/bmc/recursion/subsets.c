// Whether some of five weights sum up to a target, by trying all subsets.
// The fifth weight is never tried.
//@ verdict: bug
//@ input: 255
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static const int weights[5] = {3, 5, 8, 13, 2};
static int reaches(int target, int at) {
  if (target == 0) return 1;
  if (target < 0 || at == 4) return 0;
  return reaches(target - weights[at], at + 1) || reaches(target, at + 1);
}
int main(void) {
  int mask = __VERIFIER_nondet_uchar() & 31, sum = 0;
  for (int i = 0; i < 5; ++i)
    if (mask >> i & 1) sum += weights[i];
  assert(reaches(sum, 0)); //~ bug: assertion-failed
  return 0;
}
