/* An index that its array does not have, within the one object. */
//@ flags: -- -fsanitize=array-bounds
#include <klee/klee.h>

struct buffer {
  int content[4];
  unsigned used;
};

static void push(struct buffer *it, int value) {
  it->content[it->used] = value; //~ bug: index-out-of-bounds
  it->used++;
}

int main(void) {
  struct buffer it = {0};
  klee_make_symbolic(&it.used, sizeof it.used, "used");
  klee_assume(it.used < 5);
  push(&it, 1);
  return 0;
}
