// Events are dispatched by a table of functions.
//@ verdict: correct
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int level;
static void up(void) { level = level < 3 ? level + 1 : 3; }
static void down(void) { level = level > 0 ? level - 1 : 0; }
static void reset(void) { level = 0; }
int main(void) {
  static void (*const handler[4])(void) = {up, down, reset, up};
  for (int i = 0; i < 3; ++i) {
    unsigned kind = __VERIFIER_nondet_uint() % 4;
    handler[kind]();
    assert(level >= 0 && level <= 3);
  }
  return 0;
}
