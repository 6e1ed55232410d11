// A list is freed only on one path; its second block is lost with its first.
//@ apart: leak
#include <effigy.h>
#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
int main(void) {
  struct node *first = malloc(sizeof *first); //~ bug: leak
  first->next = malloc(sizeof *first);
  if (effigy_bool("freed")) {
    free(first->next);
    free(first);
  }
  return 0;
}
