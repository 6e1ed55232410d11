// SV-COMP: an atomic function does not protect from accesses outside of one.
//@ apart: threads
#include <pthread.h>
static int total;
void __VERIFIER_atomic_add(int n) {
  int before = total; //~ bug: data-race
  total = before + n;
}
static void *add(void *unused) {
  __VERIFIER_atomic_add(1);
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, add, 0);
  total = 5;
  pthread_join(a, 0);
  return 0;
}
