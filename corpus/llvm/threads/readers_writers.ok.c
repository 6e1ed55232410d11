// Two readers and a writer: readers see both halves or neither.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static int low, high;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *look(void *unused) {
  pthread_rwlock_rdlock(&lock);
  assert(low == high);
  pthread_rwlock_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, look, 0);
  pthread_create(&b, 0, look, 0);
  pthread_rwlock_wrlock(&lock);
  low = 1;
  high = 1;
  pthread_rwlock_unlock(&lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
