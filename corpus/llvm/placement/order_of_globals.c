// The same in a constant expression.
//@ incomplete: in line 5 depends on where objects lie
int a, b;
int main(void) {
  if (&a > &b) return 1;
  return 0;
}
