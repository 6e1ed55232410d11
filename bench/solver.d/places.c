#include <klee/klee.h>
/* Counters at unknown places of a large table, and what is read behind all that was written to it. */
#ifndef N
#define N 20
#endif
unsigned char table[4096];
int main(void) {
  unsigned short at[N];
  klee_make_symbolic(at, sizeof at, "at");
  klee_make_symbolic(table, sizeof table, "table");
  for (int i = 0; i < N; i++) table[at[i] & 4095] += 1;
  int most = 0;
  for (int i = 0; i < N; i++) most += table[at[i] & 4095] > 250 - i;
  return most == N ? 2 : most > N / 2;
}
