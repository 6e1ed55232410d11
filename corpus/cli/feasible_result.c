extern int __VERIFIER_nondet_int(void);
int next(int x) { return x + 1; }
int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a < 0 || a > 10) return 0;
  int b = next(a);
  if (b == 5)
    return 1;
  return 0;
}
