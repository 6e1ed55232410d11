// A record is made, and filled in by what is known.
// What malloc returns is not zero.
//@ verdict: bug
//@ input: 0
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct record { int id, level; };
int main(void) {
  struct record *it = malloc(sizeof *it);
  it->id = __VERIFIER_nondet_int();
  if (it->id > 100) it->level = 2;
  int high = 0;
  if (it->level > 1) //~ bug: uninitialised-value
    high = 1;
  free(it);
  return high;
}
