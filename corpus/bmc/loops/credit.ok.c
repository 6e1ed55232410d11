// Sender and receiver share eight credits: what is not on its way is at hand.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int sent, received;
int main(void) {
  int at_hand = 8, on_its_way = 0;
  for (; !(sent > 0 && sent == received && __VERIFIER_nondet_bool());) {
    if (at_hand > 0 && __VERIFIER_nondet_bool()) {
      --at_hand;
      ++on_its_way;
      if (sent < 1000000) ++sent;
    } else if (on_its_way > 0) {
      ++at_hand;
      --on_its_way;
      if (received < 1000000) ++received;
    }
    assert(at_hand >= 0 && on_its_way >= 0);
    assert(at_hand + on_its_way == 8);
  }
  assert(sent <= 1000000);
  return 0;
}
//@ open: run
