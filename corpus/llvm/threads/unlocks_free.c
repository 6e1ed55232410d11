// A mutex is given back that nobody holds.
//@ apart: threads
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock); //~ bug: lock-misuse
  return 0;
}
