// A wait with a deadline ends by the signal, or without it.
//@ apart: threads
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t other;
  struct timespec until = {100, 0};
  pthread_create(&other, 0, work, 0);
  pthread_mutex_lock(&lock);
  if (!ready) {
    int res = pthread_cond_timedwait(&condition, &lock, &until);
    assert(res == 0 ? ready : res == ETIMEDOUT);
  }
  pthread_mutex_unlock(&lock);
  pthread_join(other, 0);
  return 0;
}
