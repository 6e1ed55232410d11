// A mutex is given back by a thread that does not hold it.
//@ apart: threads
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *unlock(void *unused) {
  pthread_mutex_unlock(&lock); //~ bug: lock-misuse
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_mutex_lock(&lock);
  pthread_create(&other, 0, unlock, 0);
  pthread_join(other, 0);
  return 0;
}
