// An array is read from its end.
//@ verdict: correct
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int cells[6] = {4, 8, 15, 16, 23, 42};
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 6);
  int sum = 0;
  for (unsigned i = n + 1; i-- > 0;)
    sum += cells[i];
  return sum & 1;
}
