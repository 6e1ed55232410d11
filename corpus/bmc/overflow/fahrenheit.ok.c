// Degrees of one scale in the other.
//@ verdict: correct
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int celsius = __VERIFIER_nondet_int();
  __VERIFIER_assume(celsius > -300 && celsius < 238609291);
  int fahrenheit = celsius * 9 / 5 + 32;
  return fahrenheit > 100;
}
