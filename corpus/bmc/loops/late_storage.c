// What was never written comes into the loop in a late round, and decides in a later one.
//@ verdict: bug
//@ input: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int never, number = 0, found = 0;
  unsigned rounds = 0;
  while (__VERIFIER_nondet_bool()) {
    if (rounds > 20) {
      if (number) //~ bug: uninitialised-value
        found = 1;
      else
        found = 2;
    }
    if (rounds == 10) number = never;
    if (rounds < 30) rounds++;
  }
  return found > 5;
}
