//@ flags: --sym-stdin 3 --sym-args 0 1 2
//@ paths: 104
// What one run leaves behind, the next one does not see, though one native process may run both.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count = 7;
static char *kept;
static int *table[4];
int zero;

static int next(void) {
  static int number;
  return ++number;
}

static void deep(int depth) {
  char own[64];
  if (depth == 0) exit(40 + next() + zero);
  memset(own, depth, sizeof own);
  deep(depth - 1);
  printf("%d", own[3]);
}

int main(int argc, char **argv) {
  char line[8];
  if (kept || zero || count != 7 || next() != 1 || table[2]) return 99;
  if (errno) return 98;
  count++;
  zero = 2;
  kept = malloc(32);
  strcpy(kept, "hello");
  table[2] = malloc(8);
  table[2][0] = 5;
  int first = getchar();
  if (first == EOF) return printf("none");
  ungetc(first, stdin);
  if (isdigit(first)) deep(first - '0');
  if (!fgets(line, sizeof line, stdin)) return 2;
  if (line[0] == 'x') {
    strtol("99999999999999999999", NULL, 10);
    printf("%d|", errno);
    fflush(stdout);
    return 3;
  }
  if (line[0] == 'f') {
    free(kept);
    kept = NULL;
  }
  if (argc > 1) {
    argv[1][0] = 'z';
    printf("%s", argv[1]); //~ bug: out-of-bounds-read
  }
  if (line[0] == 'y') kept[32] = 1; //~ bug: out-of-bounds-write
  printf("%s %zu", kept ? kept : "-", strlen(line));
  return 4;
}
