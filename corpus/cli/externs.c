/* What two files declare and none defines is one thing. */
#include <stdio.h>
#include <stdlib.h>

extern int counter[];
extern FILE *where(void);
extern int *start(void);
extern int (*get(void))(void);
int unknown(void);

int main(void) {
  if (where() != stdout || start() != counter || get() != unknown) abort();
  fputs("one\n", where());
  return 0;
}
