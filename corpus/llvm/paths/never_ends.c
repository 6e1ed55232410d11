// Paths that come to a state again: cut at once, with the line, whatever the time limit is.
//@ paths: 9
//@ flags: --sym-stdin 3
#include <stdio.h>
#include <stdlib.h>

static int seen;

int main(void) {
  int c = getchar();
  if (c == 'f')
    for (;;) {}
  if (c == 'm')
    for (;;) free(malloc(8)); // another object each time, and the same for all that follows
  if (c == 'w')
    for (;;) { seen = (seen + 1) % 7; putchar('.'); } // comes again after seven rounds; what is written does not count
  if (c == 'e')
    while (c != EOF) { c = getchar(); if (c == 'e') continue; } // this one ends
  return seen;
}
