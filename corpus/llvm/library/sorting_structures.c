// Elements that compare as equal keep their order; elements of many bytes move as a whole.
#include <stdio.h>
#include <stdlib.h>
struct entry { int key; char name[40]; };
static int by_key(const void *a, const void *b) { return ((const struct entry *)a)->key - ((const struct entry *)b)->key; }
int main(void) {
  struct entry list[] = {{3, "c"}, {1, "a"}, {3, "d"}, {2, "b"}, {1, "A"}};
  qsort(list, 5, sizeof *list, by_key);
  for (int i = 0; i < 5; i++) printf("%d%s ", list[i].key, list[i].name);
  return 0;
}
