// Dekker's entry with sequentially consistent atomics: not both come in.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int wants_a, wants_b, inside;
static void *a(void *unused) {
  atomic_store(&wants_a, 1);
  if (!atomic_load(&wants_b)) {
    assert(atomic_fetch_add(&inside, 1) == 0);
  }
  return unused;
}
static void *b(void *unused) {
  atomic_store(&wants_b, 1);
  if (!atomic_load(&wants_a)) {
    assert(atomic_fetch_add(&inside, 1) == 0);
  }
  return unused;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, a, 0);
  pthread_create(&y, 0, b, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
