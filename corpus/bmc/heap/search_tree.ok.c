// Three keys in a binary search tree are found again.
//@ verdict: correct
#include <assert.h>
#include <stdlib.h>
extern short __VERIFIER_nondet_short(void);
struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *at, int key) {
  if (at == NULL) {
    struct node *it = malloc(sizeof *it);
    it->key = key;
    it->left = it->right = NULL;
    return it;
  }
  if (key < at->key)
    at->left = insert(at->left, key);
  else
    at->right = insert(at->right, key);
  return at;
}
static int contains(const struct node *at, int key) {
  while (at != NULL && at->key != key) at = key < at->key ? at->left : at->right;
  return at != NULL;
}
int main(void) {
  int keys[3];
  struct node *root = NULL;
  for (int i = 0; i < 3; ++i) root = insert(root, keys[i] = __VERIFIER_nondet_short());
  for (int i = 0; i < 3; ++i) assert(contains(root, keys[i]));
  return 0;
}
