// Prices times amounts are summed up.
// The bound of the amounts is checked after the product.
//@ verdict: bug
//@ input: 65535 65535
extern unsigned short __VERIFIER_nondet_ushort(void);
int main(void) {
  int total = 0;
  for (int i = 0; i < 4; ++i) {
    int price = __VERIFIER_nondet_ushort(), amount = __VERIFIER_nondet_ushort();
    int product = price * amount; //~ bug: signed-overflow
    if (amount > 8000) continue;
    if (total > 2147483647 - product || product < 0) return 1;
    total += product;
  }
  return 0;
}
