/* Pointers lead to an object of the real size; they are null only where that is said. */
//@ entry: length
//@ flags: --null list->next
//@ paths: 4

struct node {
  long value;
  struct node *next;
};

int length(struct node *list) {
  int res = 0;
  if (list->value == 0) return 0;
  for (; list; list = list->next) res++;
  return res;
}
