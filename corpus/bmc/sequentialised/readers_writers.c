// A writer is alone, readers may be many.
// The writer's test and its entry are two steps.
//@ verdict: bug
//@ input: 1 0 1
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int readers, writing, seen_free;
static void reader(void) {
  if (!writing) {
    ++readers;
    assert(!writing);
  }
}
static void writer(void) {
  if (writing) {
    writing = 0;
    seen_free = 0;
    return;
  }
  if (!seen_free)
    seen_free = readers == 0;
  else
    writing = 1;
  assert(!writing || readers == 0); //~ bug: assertion-failed
}
int main(void) {
  for (int i = 0; i < 6; ++i) {
    unsigned who = __VERIFIER_nondet_uint() % 3;
    if (who == 0) reader();
    if (who == 1) writer();
    if (who == 2 && readers > 0) --readers;
  }
  return seen_free;
}
