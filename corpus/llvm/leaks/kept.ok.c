// Blocks to which something leads at the end: a global variable, a pointer into the middle, a union, a call of exit in
// whose callers' variables they are, a copy byte by byte.
//@ apart: leak
//@ paths: 6
#include <effigy.h>
#include <stdlib.h>
#include <string.h>
struct node {
  struct node *next;
};
static void *kept;
static char copy[sizeof(void *)] __attribute__((aligned(8)));
static void leave(void) { exit(0); }
int main(void) {
  int way = effigy_choose(6);
  if (way == 0) {
    struct node *first = malloc(sizeof *first);
    first->next = malloc(sizeof *first);
    kept = first;
  }
  if (way == 1) kept = (char *)malloc(10) + 9;
  if (way == 2) {
    char *text = strdup("text");
    leave();
    free(text);
  }
  if (way == 3) {
    void *block = malloc(4);
    memcpy(copy, &block, sizeof block);
  }
  if (way == 4) {
    static void *table[4];
    table[effigy_uchar("at") & 3] = malloc(8);
  }
  if (way == 5) {
    char *text = malloc(8);
    text[0] = 'x';
    quick_exit(0);
  }
  return 0;
}
