// The product of two short numbers.
// They are unsigned, and still become int.
//@ verdict: bug
//@ input: 65535 65535
extern unsigned short __VERIFIER_nondet_ushort(void);
int main(void) {
  unsigned short a = __VERIFIER_nondet_ushort(), b = __VERIFIER_nondet_ushort();
  long product = a * b; //~ bug: signed-overflow
  return product == 6;
}
