// The velocity is bounded before it is made an integer.
#include <klee/klee.h>
static short stored(double velocity) { return velocity > 32767 ? 32767 : (short)velocity; }
int main(void) {
  double velocity;
  klee_make_symbolic(&velocity, sizeof velocity, "velocity");
  klee_assume((velocity >= 0) & (velocity < 1e5));
  return stored(velocity) > 100;
}
