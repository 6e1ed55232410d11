// A velocity that is larger than was thought is made an integer of 16 bits.
#include <klee/klee.h>
static short stored(double velocity) {
  return (short)velocity; //~ bug: undefined-behaviour
}
int main(void) {
  double velocity;
  klee_make_symbolic(&velocity, sizeof velocity, "velocity");
  klee_assume((velocity >= 0) & (velocity < 1e5));
  return stored(velocity) > 100;
}
