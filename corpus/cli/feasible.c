int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x > 10) {
    y = y + 1;
  }
  if (!y) {
    x = 3;
  }
  if (x < 5 && y > 2) {
    reach_error();
  }
  int table[4] = {0, 1, 2, 3};
  return table[x];
}
