// A number is taken apart into its bytes, and composed again.
//@ verdict: correct
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
union word { unsigned value; unsigned char byte[4]; };
int main(void) {
  union word it;
  it.value = __VERIFIER_nondet_uint();
  unsigned back = 0;
  for (int i = 0; i < 4; ++i)
    back |= (unsigned)it.byte[i] << 8 * i;
  assert(back == it.value);
  return 0;
}
