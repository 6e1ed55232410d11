// The bytes of a pointer are those of its number.
//@ incomplete: in line 5 depends on where objects lie
int main(void) {
  int x, *p = &x;
  if (((unsigned char *)&p)[1] & 1) return 1;
  return 0;
}
