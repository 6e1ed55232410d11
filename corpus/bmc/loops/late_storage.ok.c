// What is never read comes into the loop in a late round.
//@ verdict: correct
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int written = 3, number = 0, found = 0;
  unsigned rounds = 0;
  while (__VERIFIER_nondet_bool()) {
    if (rounds > 20) {
      if (number)
        found = 1;
      else
        found = 2;
    }
    if (rounds == 10) number = written;
    if (rounds < 30) rounds++;
  }
  return found > 5;
}
//@ open: run
