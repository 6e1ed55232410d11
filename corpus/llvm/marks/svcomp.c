// Marks of SV-COMP, as its programs have them.
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void) __attribute__((noreturn));
void reach_error(void);
void __VERIFIER_assert(int cond) {
  if (!cond) {
  ERROR: { reach_error(); } //~ bug: assertion-failed
  }
}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(x > 0 && x < 100 && y > x && y < 200);
  if (__VERIFIER_nondet_bool()) __VERIFIER_assert(x + c != 300);
  if (c > 255) __VERIFIER_error();
  return 0;
}
