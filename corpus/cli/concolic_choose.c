#include <stdio.h>
#include <stdlib.h>

static int none(void) { return 0; }
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*const table[])(void) = {none, one, two};

int main(void) {
  int c = getchar();
  if (c < '0' || c > '2') return 9;
  return table[c - '0']();
}
