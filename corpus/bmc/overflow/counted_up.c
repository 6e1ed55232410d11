// A counter that stays below a thousand, in a loop that does not stop.
// Each time that it starts again, its steps are longer.
//@ verdict: bug
//@ input: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int x = 0, step = 1023;
  while (__VERIFIER_nondet_bool()) {
    x += step; //~ bug: signed-overflow
    if (x > 1000) {
      x %= 1000;
      if (step < 1 << 30) step = 2 * step + 1;
    }
  }
  return x > 2000;
}
