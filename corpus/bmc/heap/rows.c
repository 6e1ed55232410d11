// A table of rows that are allocated one by one; one row is dropped.
// The dropped row is summed up, too.
//@ verdict: bug
//@ input: 0
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int *row[3];
  for (int i = 0; i < 3; ++i) {
    row[i] = malloc(2 * sizeof **row);
    row[i][0] = i;
    row[i][1] = __VERIFIER_nondet_uchar();
  }
  unsigned dropped = __VERIFIER_nondet_uint();
  __VERIFIER_assume(dropped < 3);
  free(row[dropped]);
  int sum = 0;
  for (int i = 0; i < 3; ++i)
    if (row[i] != 0) sum += row[i][1]; //~ bug: use-after-free
  for (unsigned i = 0; i < 3; ++i)
    if (i != dropped) free(row[i]);
  return sum > 100;
}
