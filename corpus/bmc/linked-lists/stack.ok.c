// A stack of nodes, used in any order.
//@ verdict: correct
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
    } else if (top != NULL) {
      struct node *gone = top;
      sum += gone->value;
      top = gone->below;
      free(gone);
    }
  }
  return sum > 9;
}
