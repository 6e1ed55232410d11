// The largest of up to eight numbers.
//@ verdict: correct
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int cells[8];
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n >= 1 && n <= 8);
  for (unsigned i = 0; i < n; ++i) cells[i] = __VERIFIER_nondet_int();
  int most = cells[0];
  for (unsigned i = 1; i < n; ++i)
    if (cells[i] > most) most = cells[i];
  for (unsigned i = 0; i < n; ++i) assert(cells[i] <= most);
  return 0;
}
//@ steps: run=1000000
