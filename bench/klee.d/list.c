// Insertions into a sorted list without doubles, and removals.
#include <assert.h>
#include <klee/klee.h>
#ifndef N
#define N 5
#endif
struct node {
  int value;
  struct node *next;
};
static struct node nodes[N], *head;
static void insert(struct node *node) {
  struct node **at = &head;
  while (*at && (*at)->value < node->value) at = &(*at)->next;
  if (*at && (*at)->value == node->value) return;
  node->next = *at;
  *at = node;
}
static int drop(int value) {
  for (struct node **at = &head; *at; at = &(*at)->next)
    if ((*at)->value == value) {
      *at = (*at)->next;
      return 1;
    }
  return 0;
}
int main(void) {
  int values[N], gone;
  klee_make_symbolic(values, sizeof values, "values");
  klee_make_symbolic(&gone, sizeof gone, "gone");
  for (int i = 0; i < N; i++) {
    nodes[i].value = values[i];
    insert(&nodes[i]);
  }
  int dropped = drop(gone), count = 0;
  for (struct node *it = head; it; it = it->next, count++) {
    assert(it->value != gone);
    if (it->next) assert(it->value < it->next->value);
  }
  return dropped ? count : 10 + count;
}
