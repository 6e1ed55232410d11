// Every node with a key is removed and freed.
// A second one in a row stays.
//@ verdict: bug
//@ input: 1 1
#include <assert.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct node { int key; struct node *next; };
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 4; ++i) {
    struct node *it = malloc(sizeof *it);
    it->key = __VERIFIER_nondet_bool();
    it->next = head;
    head = it;
  }
  for (struct node **at = &head; *at != NULL;) {
    if ((*at)->key == 1) {
      struct node *gone = *at;
      *at = gone->next;
      free(gone);
    }
    if (*at != NULL) {
      at = &(*at)->next;
    }
  }
  for (struct node *it = head; it != NULL; it = it->next) assert(it->key == 0); //~ bug: assertion-failed
  return 0;
}
