// Double-checked locking with an atomic pointer.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *use(void *unused) {
  int *it = atomic_load(&instance);
  if (!it) {
    pthread_mutex_lock(&lock);
    it = atomic_load(&instance);
    if (!it) {
      it = malloc(sizeof *it);
      *it = 7;
      atomic_store(&instance, it);
    }
    pthread_mutex_unlock(&lock);
  }
  assert(*it == 7);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(instance);
  return 0;
}
