// Two numbers are compared.
//@ verdict: correct
extern int __VERIFIER_nondet_int(void);
static int compare(int a, int b) {
  return (a > b) - (a < b);
}
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  return compare(a, b) > 0;
}
