// Insertions into a binary search tree, and a look-up.
#include <klee/klee.h>
#ifndef N
#define N 5
#endif
struct node {
  short key;
  struct node *left, *right;
};
static struct node nodes[N];
int main(void) {
  short keys[N], wanted;
  klee_make_symbolic(keys, sizeof keys, "keys");
  klee_make_symbolic(&wanted, sizeof wanted, "wanted");
  struct node *root = 0;
  int depth = 0;
  for (int i = 0; i < N; i++) {
    struct node **at = &root;
    int level = 1;
    for (; *at && (*at)->key != keys[i]; level++) at = keys[i] < (*at)->key ? &(*at)->left : &(*at)->right;
    if (!*at) nodes[i].key = keys[i], *at = &nodes[i];
    if (level > depth) depth = level;
  }
  struct node *it = root;
  while (it && it->key != wanted) it = wanted < it->key ? it->left : it->right;
  return it ? depth : 10 + depth;
}
