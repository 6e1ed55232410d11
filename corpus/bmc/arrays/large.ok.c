// A thousand cells are written, any of them is read.
//@ verdict: correct
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
static unsigned short cells[1000];
int main(void) {
  for (unsigned i = 0; i < 1000; ++i) cells[i] = (unsigned short)(i ^ 0x2aa);
  unsigned at = __VERIFIER_nondet_uint();
  __VERIFIER_assume(at < 1000);
  assert((cells[at] ^ 0x2aa) == at);
  return 0;
}
