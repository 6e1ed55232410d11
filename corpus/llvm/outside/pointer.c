// A pointer from outside is null, or points to something of its own; never wild.
//@ incomplete: first_node
#include <effigy.h>
struct node { int value; struct node *next; };
extern struct node *first_node(void);
int main(void) {
  struct node *it = first_node();
  if (it == 0)
    return 0;
  int value = it->value;
  it->value = value;
  if (it->next)
    it->next->value = 5;
  effigy_assert(it->value == value);
  return 0;
}
