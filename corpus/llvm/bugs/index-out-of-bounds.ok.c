/* The last array of a structure has as many elements as there is room for; an address behind the last one may be taken. */
//@ flags: -- -fsanitize=array-bounds
#include <klee/klee.h>
#include <stdlib.h>

struct text {
  unsigned length;
  char content[1];
};

struct row {
  int first[4], second[4];
};

int main(void) {
  unsigned at;
  klee_make_symbolic(&at, sizeof at, "at");
  klee_assume(at < 4);
  struct text *it = malloc(sizeof(struct text) + 8);
  if (!it) return 0;
  it->content[at] = 1;
  struct row row = {0};
  int *end = &row.first[4];
  for (int *cell = row.first; cell != end; cell++) *cell = 1;
  row.second[at] = 2;
  free(it);
  return row.second[at] == 2 ? 0 : 1;
}
