// An inner loop of many rounds that the program decides, walked once when the outer one is closed and once more after.
//@ verdict: bug
//@ input: 4
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), seen = 0;
  for (int i = 0; i < n; i++) {
    int x = 0;
    for (int j = 0; j < 1500; j++) x ^= j;
    seen++;
  }
  assert(seen != 4); //~ bug: assertion-failed
  return 0;
}
//@ steps: run=1000000, bmc=1000000
