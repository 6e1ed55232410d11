// What is the same wherever objects lie that keep their alignment, and apart.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int value, more[2]; };
int tags[4];
int main(void) {
  // Alignment, of `malloc`, of types.
  char *heap = malloc(5);
  int word;
  if ((uintptr_t)heap % 16 || (uintptr_t)heap & 7 || (uintptr_t)&word & 3) abort();
  // Null, and what is no address.
  if (!heap || (uintptr_t)heap == 0 || heap == (char *)-1 || (intptr_t)heap < 0) abort();
  // Two objects that live.
  char *other = malloc(5);
  if (heap == other || (uintptr_t)heap == (uintptr_t)other) abort();
  // Within one object.
  int a[8], count = 0;
  for (int *p = a, *end = a + 8; p < end; p++) count++;
  for (uintptr_t p = (uintptr_t)a, end = (uintptr_t)(a + 8); p < end; p += 4) count++;
  if (count != 16 || &a[7] - &a[2] != 5) abort();
  // Tags in bits that are zero.
  word = 7;
  uintptr_t tagged = (uintptr_t)&word | 1;
  if (!(tagged & 1) || *(int *)(tagged & ~(uintptr_t)1) != 7) abort();
  // A pointer around an element, two pointers in one word.
  struct item item = {0, 3, {4, 5}};
  int *inner = &item.more[1];
  if (((struct item *)((char *)inner - 16))->value != 3) abort();
  uintptr_t both = (uintptr_t)&word ^ (uintptr_t)&item;
  if (*(int *)(both ^ (uintptr_t)&item) != 7) abort();
  // Copies, whole and by bytes.
  struct item copy;
  memcpy(&copy, &item, sizeof item);
  int *from = &word, *to;
  for (int i = 0; i < 8; i++) ((char *)&to)[i] = ((char *)&from)[i];
  if (copy.next || *to != 7) abort();
  // Rounded up within what `malloc` has aligned.
  char *block = malloc(64);
  char *up = (char *)(((uintptr_t)block + 17 + 15) & ~(uintptr_t)15);
  if (up - block != 32) abort();
  // Printed, and no more.
  printf("%d\n", block == NULL);
  // A list that is made and freed.
  struct item *list = NULL;
  for (int i = 0; i < 4; i++) {
    struct item *new = malloc(sizeof *new);
    new->next = list;
    list = new;
  }
  while (list) {
    struct item *next = list->next;
    free(list);
    list = next;
  }
  free(heap), free(other), free(block);
  return 0;
}
