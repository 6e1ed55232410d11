// A queue with a pointer to its tail.
// When the last one leaves, the tail still means it.
//@ verdict: bug
//@ input: 1 0 0 1
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct node { struct node *next; };
static struct node *head, *tail;
static void enter(void) {
  struct node *it = malloc(sizeof *it);
  it->next = NULL;
  if (tail == NULL)
    head = it;
  else
    tail->next = it; //~ bug: use-after-free
  tail = it;
}
static void leave(void) {
  if (head == NULL) return;
  struct node *gone = head;
  head = gone->next;
  free(gone);
}
int main(void) {
  for (int i = 0; i < 4; ++i)
    if (__VERIFIER_nondet_bool())
      enter();
    else
      leave();
  return 0;
}
