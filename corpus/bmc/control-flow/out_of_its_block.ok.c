// A pointer to a variable of a block, which is not used where the block has ended.
//@ verdict: correct
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char which = __VERIFIER_nondet_uchar();
  int outer = 4, *it = &outer;
  for (int i = 0; i < 2; ++i) {
    int inner = i;
    if (which > 100) {
      it = &inner;
      break;
    }
    *it += inner;
  }
  if (which <= 100) {
    assert(*it == 5);
    outer = *it;
  }
  return outer & 1;
}
