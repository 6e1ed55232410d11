// A detached thread; main ends by pthread_exit, and the program with the last thread.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  done++;
  assert(done <= 2);
  pthread_mutex_unlock(&lock);
  pthread_exit(0);
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&other, &attributes, work, 0);
  pthread_create(&other, 0, work, 0);
  pthread_detach(other);
  pthread_exit(0);
}
