// A producer and a consumer with two cells.
//@ verdict: correct
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int cells[2], put, got, sent, reading = -1;
static void produce(void) {
  if (put - got == 2) return;
  cells[put % 2] = ++sent;
  ++put;
}
static void consume(void) {
  if (reading < 0) {
    if (put == got) return;
    reading = got;
  } else {
    assert(cells[reading % 2] == reading + 1);
    reading = -1;
    ++got;
  }
}
int main(void) {
  for (int i = 0; i < 7; ++i)
    if (__VERIFIER_nondet_bool())
      produce();
    else
      consume();
  return 0;
}
