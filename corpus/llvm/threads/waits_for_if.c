// Two wait, one value comes with a broadcast: who wakes second finds nothing, since it looks only once.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static int items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *take(void *unused) {
  pthread_mutex_lock(&lock);
  if (items == 0) pthread_cond_wait(&condition, &lock);
  items--;
  assert(items >= 0); //~ bug: assertion-failed
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, take, 0);
  pthread_mutex_lock(&lock);
  items = 1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  items++;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
