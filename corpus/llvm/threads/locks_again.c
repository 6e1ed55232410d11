// A mutex that is not recursive is locked again, in a program without a second thread.
//@ apart: threads
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock); //~ bug: deadlock
  return 0;
}
