// A pointer to a variable of a block, and one to a variable of the function, chosen by the input.
//@ verdict: bug
//@ input: 200 3
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char which = __VERIFIER_nondet_uchar();
  int outer = 4, *it = &outer;
  for (int i = 0; i < 2; ++i) {
    int inner = i;
    if (which > 100) {
      it = &inner;
      break;
    }
    *it += inner;
  }
  if (__VERIFIER_nondet_uchar() & 1) outer = *it; //~ bug: use-after-scope
  return outer & 1;
}
