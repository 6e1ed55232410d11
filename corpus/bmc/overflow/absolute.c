// The absolute value of a number.
// The least number has none.
//@ verdict: bug
//@ input: -2147483648
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0)
    x = -x; //~ bug: signed-overflow
  return x < 0;
}
