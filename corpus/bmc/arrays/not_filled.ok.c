// A table is filled up to n, and asked.
//@ verdict: correct
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int table[5];
  int n = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 1 && n <= 5);
  for (int i = 0; i < n; ++i) table[i] = i * i;
  __VERIFIER_assume(at >= 0 && at < n);
  if (table[at] > 6)
    return 1;
  return 0;
}
