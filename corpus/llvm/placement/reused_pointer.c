// The same of a pointer that was kept.
//@ incomplete: in line 9 depends on where objects lie
#include <stdlib.h>
static void *last;
int main(void) {
  int same = 0;
  for (int i = 0; i < 2; i++) {
    void *now = malloc(8);
    if (now == last) same++;
    last = now;
    free(now);
  }
  return 0;
}
