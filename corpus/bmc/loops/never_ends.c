// As its twin, but the loop ends after many rounds that look the same.
//@ verdict: bug
//@ input: 8
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0, n = __VERIFIER_nondet_int();
  unsigned hidden = 0;
  if (n > 7) {
    while (i < 10) {
      n = n ^ 1;
      if (++hidden == 5000) i = 10;
    }
    assert(0); //~ bug: assertion-failed
  }
  return 0;
}
//@ steps: bmc=1000000, equations=1000000
