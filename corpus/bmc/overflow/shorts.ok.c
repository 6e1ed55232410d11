// The product of two short numbers.
//@ verdict: correct
extern short __VERIFIER_nondet_short(void);
int main(void) {
  short a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
  long product = a * b;
  return product == 6;
}
