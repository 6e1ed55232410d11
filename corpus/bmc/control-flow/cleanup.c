// Three resources are taken one after the other; on a failure, what was taken is given back.
// The third failure jumps one label too far.
//@ verdict: bug
//@ input: 0 0 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int held;
static int take(void) {
  if (__VERIFIER_nondet_bool()) return 0;
  ++held;
  return 1;
}
int main(void) {
  if (!take()) goto none;
  if (!take()) goto one;
  if (!take()) goto one;
  --held;
  --held;
one:
  --held;
none:
  assert(held == 0); //~ bug: assertion-failed
  return 0;
}
