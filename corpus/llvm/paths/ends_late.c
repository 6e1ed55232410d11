// Loops that seem to stand still, and end: something out of sight counts the rounds.
//@ paths: 6
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

static unsigned hidden;
static unsigned *behind = &hidden;

static void tick(void) { static unsigned n; if (++n == 300000) hidden = 1; }

int main(void) {
  unsigned which;
  klee_make_symbolic(&which, sizeof which, "which");
  klee_assume(which < 6);
  char text[] = "a b";
  switch (which) {
    case 0: while (!hidden) tick(); break;
    case 1: while (++*behind != 300000) {} break;
    case 2: { unsigned *p = malloc(4); *p = 0; while (*p != 300000) { memcpy(&hidden, p, 4); hidden++; memcpy(p, &hidden, 4); } free(p); break; }
    case 3: { errno = 0; int n = 0; while (errno == 0) if (++n > 100000) errno = 5; break; }
    case 4: { unsigned char shift = 1; unsigned long x = 1; do { shift ^= 1; x = x * 6364136223846793005UL + 1442695040888963407UL; } while (shift || x >> 47); break; }
    default: for (long long n = 0; n < 250000; n++) hidden ^= 1;
  }
  return (int)strlen(text) - 3;
}
