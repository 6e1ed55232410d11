// Three in a ring elect the one with the largest name.
//@ verdict: correct
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int name[3], best[3], leader = -1;
  for (int i = 0; i < 3; ++i) best[i] = name[i] = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(name[0] != name[1] && name[1] != name[2] && name[0] != name[2]);
  for (int round = 0; round < 3; ++round) {
    int held = best[2];
    best[2] = best[1] > best[2] ? best[1] : best[2];
    best[1] = best[0] > best[1] ? best[0] : best[1];
    best[0] = held > best[0] ? held : best[0];
  }
  int leaders = 0;
  for (int i = 0; i < 3; ++i)
    if (best[i] == name[i]) leader = i, ++leaders;
  assert(leader >= 0);
  assert(leaders == 1);
  return 0;
}
