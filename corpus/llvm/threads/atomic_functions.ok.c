// SV-COMP: a function whose name begins with __VERIFIER_atomic_ is atomic. Two of them take turns, and do not race.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static int lock, total;
static void __VERIFIER_atomic_add(int n) {
  int before = total;
  total = before + n;
}
int __VERIFIER_atomic_take(void) {
  if (lock) return 0;
  lock = 1;
  return 1;
}
static void *add(void *unused) {
  __VERIFIER_atomic_add(1);
  if (__VERIFIER_atomic_take()) __VERIFIER_atomic_add(10);
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, add, 0);
  add(0);
  pthread_join(a, 0);
  assert(total == 12);
  return 0;
}
