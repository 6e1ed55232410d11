// A part of a whole, in percent.
// The product by 100 comes first.
//@ verdict: bug
//@ input: 21474837 214748364
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int part = __VERIFIER_nondet_int(), whole = __VERIFIER_nondet_int();
  __VERIFIER_assume(whole > 0 && part >= 0 && part <= whole);
  int percent = whole > 214748364 ? part / (whole / 100) : part * 100 / whole; //~ bug: signed-overflow
  return percent > 105;
}
