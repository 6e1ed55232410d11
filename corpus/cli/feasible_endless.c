int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned sum = 0;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    sum += 2;
  }
  if (sum == 7) {
    return 1;
  }
  if (n > 3) {
    return sum % 2;
  }
  if (n > 8) {
    return 3;
  }
  return 0;
}
