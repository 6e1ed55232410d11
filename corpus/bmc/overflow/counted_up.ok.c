// A counter that stays below a thousand, in a loop that does not stop.
//@ verdict: correct
//@ bmc: bounded
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int x = 0, step = 1023;
  while (__VERIFIER_nondet_bool()) {
    x += step;
    if (x > 1000) {
      x %= 1000;
    }
  }
  return x > 2000;
}
//@ open: run
