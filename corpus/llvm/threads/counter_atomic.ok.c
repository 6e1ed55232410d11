// An atomic counter loses nothing.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int total;
static void *add(void *unused) {
  atomic_fetch_add(&total, 1);
  atomic_fetch_add(&total, 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&total) == 4);
  return 0;
}
