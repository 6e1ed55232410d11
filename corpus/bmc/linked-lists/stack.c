// A stack of nodes, used in any order.
// An empty stack is popped after an odd number of rounds.
//@ verdict: bug
//@ input: 0
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct node { int value; struct node *below; };
int main(void) {
  struct node *top = NULL;
  int sum = 0;
  for (int i = 0; i < 5; ++i) {
    if (__VERIFIER_nondet_bool()) {
      struct node *it = malloc(sizeof *it);
      it->value = i;
      it->below = top;
      top = it;
    } else if (top != NULL || i == 3) {
      struct node *gone = top;
      sum += gone->value; //~ bug: null-dereference
      top = gone->below;
      free(gone);
    }
  }
  return sum > 9;
}
