// A hash of a text, as a signed number.
//@ verdict: correct
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int hash = 0;
  for (int i = 0; i < 6; ++i) {
    int letter = __VERIFIER_nondet_uchar() & 15;
    hash = 31 * hash + letter;
  }
  return hash == 12345;
}
