// A timer: does a deadline of at most an hour pass soon?
// The clock may be near its end.
//@ verdict: bug
//@ input: 9223372036854772208 3600
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);
int main(void) {
  long now = __VERIFIER_nondet_long();
  int seconds = __VERIFIER_nondet_int();
  __VERIFIER_assume(now >= 0 && seconds >= 0 && seconds <= 3600);
  if (now > 9223372036854775807L - 3599) return 1;
  long deadline = now + seconds; //~ bug: signed-overflow
  return deadline < now;
}
