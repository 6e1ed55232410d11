#include <assert.h>
#include <klee/klee.h>

int main(void) {
  unsigned char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  unsigned weight = 0;
  for (int i = 0; i < 4; i++) {
    klee_open_merge();
    if (text[i] >= 'a')
      weight += 2;
    else if (text[i] >= '0')
      weight += 1;
    klee_close_merge();
  }
  if (text[0] == text[3]) weight++;
  assert(weight < 9);
  return 0;
}
