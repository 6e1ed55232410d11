// The end of one array may be the start of another.
//@ incomplete: in line 5 depends on where objects lie
int a[1], b[1];
int main(void) {
  if (a + 1 == b) return 1;
  return 0;
}
