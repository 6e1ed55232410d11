// Prices times amounts are summed up.
//@ verdict: correct
extern unsigned short __VERIFIER_nondet_ushort(void);
int main(void) {
  int total = 0;
  for (int i = 0; i < 4; ++i) {
    int price = __VERIFIER_nondet_ushort(), amount = __VERIFIER_nondet_ushort();
    if (amount > 8000) continue;
    int product = price * amount;
    if (amount > 8000) continue;
    if (total > 2147483647 - product) return 1;
    total += product;
  }
  return 0;
}
