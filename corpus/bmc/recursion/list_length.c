// The longest name in a list, by recursion, with a copy of each name on the stack. One that leads into itself has no end.
//@ verdict: bug
//@ input: 5
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { const char *name; struct node *next; };
static struct node nodes[8];
static unsigned longest(const struct node *it) {
  char copy[4096];
  if (!it) return 0;
  strcpy(copy, it->name);
  unsigned rest = longest(it->next); //~ bug: stack-overflow
  return strlen(copy) > rest ? (unsigned)strlen(copy) : rest;
}
int main(void) {
  for (int i = 0; i < 8; i++) nodes[i] = (struct node){"node", i < 7 ? &nodes[i + 1] : 0};
  if (__VERIFIER_nondet_int() == 5) nodes[7].next = &nodes[5];
  return longest(nodes) == 4 ? 0 : 1;
}
//@ steps: bmc=1000000
