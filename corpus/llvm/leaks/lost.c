// What leads to a block: not the blocks of a cycle, nor a pointer one past its end, nor one that was overwritten.
//@ apart: leak
#include <effigy.h>
#include <stdlib.h>
#include <string.h>
struct node {
  struct node *next;
};
static void *kept;
int main(void) {
  int way = effigy_choose(3);
  if (way == 0) {
    struct node *a = malloc(sizeof *a); //~ bug: leak
    a->next = malloc(sizeof *a);
    a->next->next = a;
  }
  if (way == 1) {
    char *block = malloc(10); //~ bug: leak
    kept = block + 10;
  }
  if (way == 2) {
    char *text = strdup("text"); //~ bug: leak
    text = realloc(NULL, 2);
    free(text);
  }
  return 0;
}
