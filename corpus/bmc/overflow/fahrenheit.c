// Degrees of one scale in the other.
// The sensor sends more than it should.
//@ verdict: bug
//@ input: 238609295
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int celsius = __VERIFIER_nondet_int();
  __VERIFIER_assume(celsius > -300 && celsius < 238609297);
  int fahrenheit = celsius * 9 / 5 + 32; //~ bug: signed-overflow
  return fahrenheit > 100;
}
