// The consumer looks before it locks and waits without looking again: a signal that came before is lost.
//@ apart: threads
#include <pthread.h>
static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *signals(void *unused) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, signals, 0);
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&condition, &lock); //~ bug: deadlock
  pthread_mutex_unlock(&lock);
  pthread_join(other, 0);
  return 0;
}
