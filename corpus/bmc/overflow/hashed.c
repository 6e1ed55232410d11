// A hash of a text, as a signed number.
// Seven characters are one too many.
//@ verdict: bug
//@ input: 3
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int hash = 0;
  for (int i = 0; i < 7; ++i) {
    int letter = __VERIFIER_nondet_uchar() & 15;
    hash = 31 * hash + letter; //~ bug: signed-overflow
  }
  return hash == 12345;
}
