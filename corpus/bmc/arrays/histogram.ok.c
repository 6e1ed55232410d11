// How often each digit occurs among four.
//@ verdict: correct
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int counts[10] = {0}, all = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = __VERIFIER_nondet_int();
    __VERIFIER_assume(digit >= 0 && digit < 10);
    counts[digit] = counts[digit] + 1;
  }
  for (int i = 0; i < 10; ++i) all += counts[i];
  assert(all == 4);
  return 0;
}
//@ steps: run=1000000, bmc=1000000
