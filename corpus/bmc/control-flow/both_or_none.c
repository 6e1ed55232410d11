// A test of a pointer guards what follows it.
// `&` does not stop where its first operand is false.
//@ verdict: bug
//@ input: 0
extern int __VERIFIER_nondet_int(void);
static int table[4] = {1, 3, 5, 7};
static const int *find(int key) {
  for (int i = 0; i < 4; ++i)
    if (table[i] == key) return &table[i];
  return 0;
}
int main(void) {
  int key = __VERIFIER_nondet_int();
  const int *it = find(key);
  if ((it != 0) & (*it > 3)) return 1; //~ bug: null-dereference
  return 0;
}
