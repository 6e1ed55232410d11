// A driver takes and gives back a lock, forever.
//@ verdict: correct
//@ bmc: bounded
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
void reach_error(void) { __assert_fail("0", "lock_protocol.c", 7, "reach_error"); }
static int locked;
static void lock(void) {
  if (locked) reach_error();
  locked = 1;
}
static void unlock(void) {
  if (!locked) reach_error();
  locked = 0;
}
int main(void) {
  while (1) {
    int request = __VERIFIER_nondet_int(), retried = 0;
    lock();
    if (request == 0) {
      unlock();
      retried = 1;
    }
    if (!retried) unlock();
    if (__VERIFIER_nondet_bool()) return 0;
  }
}
//@ open: run
