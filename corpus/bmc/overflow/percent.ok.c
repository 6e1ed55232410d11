// A part of a whole, in percent.
//@ verdict: correct
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int part = __VERIFIER_nondet_int(), whole = __VERIFIER_nondet_int();
  __VERIFIER_assume(whole > 0 && part >= 0 && part <= whole);
  int percent = whole > 21474836 ? part / (whole / 100) : part * 100 / whole;
  return percent > 105;
}
