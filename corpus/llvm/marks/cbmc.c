// Marks of CBMC; a function without a body that is called nondet_... returns any value.
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
int nondet_int(void);
unsigned nondet_index(void);
int main(void) {
  int a[4] = {1, 2, 3, 4};
  unsigned i = nondet_index();
  int x = nondet_int();
  __CPROVER_assume(i < 4 && x != -2147483647 - 1);
  __CPROVER_assert(a[i] == (int)i + 1, "the array counts");
  __CPROVER_assert(x * 0 == 0 && i != 3, "the index is small"); //~ bug: assertion-failed
  return 0;
}
