// A matrix of 3 by 4 in one array, and its transpose.
// Rows and columns are mixed up in one subscript.
//@ verdict: bug
//@ input: 0
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int from[12], to[12];
  for (int i = 0; i < 12; ++i) from[i] = __VERIFIER_nondet_int();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      to[column * 4 + row] = from[row * 4 + column]; //~ bug: out-of-bounds-write
  int row = __VERIFIER_nondet_int(), column = __VERIFIER_nondet_int();
  __VERIFIER_assume(row >= 0 && row < 3 && column >= 0 && column < 4);
  assert(from[row * 4 + column] == to[column * 3 + row]);
  return 0;
}
