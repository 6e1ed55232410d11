// An array is read from its end.
// An unsigned counter is never negative: after 0 it wraps.
//@ verdict: bug
//@ input: 0
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int cells[6] = {4, 8, 15, 16, 23, 42};
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 6);
  int sum = 0;
  for (unsigned i = n; i >= 0; --i)
    sum += cells[i]; //~ bug: out-of-bounds-read
  return sum & 1;
}
