// Two that hold the lock as readers both write.
//@ apart: threads
#include <pthread.h>
static int count;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *work(void *unused) {
  pthread_rwlock_rdlock(&lock);
  count++; //~ bug: data-race
  pthread_rwlock_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
