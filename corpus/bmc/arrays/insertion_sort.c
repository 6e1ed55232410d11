// Four numbers are sorted.
// The first cell is never compared.
//@ verdict: bug
//@ input: 1
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  signed char cells[4];
  for (int i = 0; i < 4; ++i) cells[i] = __VERIFIER_nondet_char();
  for (int i = 1; i < 4; ++i) {
    signed char next = cells[i];
    int j = i;
    for (; j > 1 && cells[j - 1] > next; --j) cells[j] = cells[j - 1];
    cells[j] = next;
  }
  for (int i = 1; i < 4; ++i) assert(cells[i - 1] <= cells[i]); //~ bug: assertion-failed
  return 0;
}
