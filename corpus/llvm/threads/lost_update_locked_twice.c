// No race, and yet an update is lost: the lock is given back between the read and the write.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
  pthread_mutex_lock(&lock);
  int before = total;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  total = before + 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 2); //~ bug: assertion-failed
  return 0;
}
