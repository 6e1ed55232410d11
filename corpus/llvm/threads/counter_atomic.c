// Atomic accesses, and yet an update is lost: read and write are two.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int total;
static void *add(void *unused) {
  int before = atomic_load(&total);
  atomic_store(&total, before + 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&total) == 2); //~ bug: assertion-failed
  return 0;
}
