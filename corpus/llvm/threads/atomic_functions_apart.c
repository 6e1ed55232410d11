// SV-COMP: two atomic functions, one after the other, are not one.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static int total;
int __VERIFIER_atomic_read(void) { return total; }
void __VERIFIER_atomic_write(int n) { total = n; }
static void *add(void *unused) {
  __VERIFIER_atomic_write(__VERIFIER_atomic_read() + 1);
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, add, 0);
  add(0);
  pthread_join(a, 0);
  assert(__VERIFIER_atomic_read() == 2); //~ bug: assertion-failed
  return 0;
}
