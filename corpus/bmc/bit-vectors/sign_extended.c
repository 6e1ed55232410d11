// A character chooses an entry of a table of 256.
// `char` is signed here.
//@ verdict: bug
//@ input: -1
extern char __VERIFIER_nondet_char(void);
static unsigned char kinds[256];
int main(void) {
  char c = __VERIFIER_nondet_char();
  kinds['a'] = 1;
  if (kinds[(int)c]) //~ bug: out-of-bounds-read
    return 1;
  return 0;
}
