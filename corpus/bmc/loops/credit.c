// As credit.ok.c; one more is sent than there are credits.
//@ verdict: bug
//@ input: 1 1 1 1 1 1 1 1 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int sent, received;
int main(void) {
  int at_hand = 8, on_its_way = 0;
  for (; !(sent > 0 && sent == received && __VERIFIER_nondet_bool());) {
    if (at_hand >= 0 && __VERIFIER_nondet_bool()) {
      --at_hand;
      ++on_its_way;
      if (sent < 1000000) ++sent;
    } else if (on_its_way > 0) {
      ++at_hand;
      --on_its_way;
      if (received < 1000000) ++received;
    }
    assert(at_hand >= 0 && on_its_way >= 0); //~ bug: assertion-failed
    assert(at_hand + on_its_way == 8);
  }
  assert(sent <= 1000000);
  return 0;
}
//@ open: equations
//@ steps: bmc=3000, equations=300
