// A table on the heap is asked for a key.
//@ verdict: correct
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct entry { int key, value; };
static struct entry *find(struct entry *table, int n, int key) {
  for (int i = 0; i < n; ++i)
    if (table[i].key == key) return &table[i];
  return NULL;
}
int main(void) {
  struct entry *table = malloc(3 * sizeof *table);
  for (int i = 0; i < 3; ++i) table[i].key = 10 * i, table[i].value = i;
  int key = __VERIFIER_nondet_int();
  struct entry *it = find(table, 3, key);
  int value = it != NULL ? it->value : -1;
  free(table);
  return value;
}
