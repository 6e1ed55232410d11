/* Reads standard input; what it counts is right only in a process of its own. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int calls;

int main(void) {
  char text[16] = {0};
  assert(calls++ == 0);
  if (fread(text, 1, sizeof text - 1, stdin) < 5) return 1;
  assert(strcmp(text, "magic") != 0);
  return 0;
}
