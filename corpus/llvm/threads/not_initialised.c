// A mutex that was never initialised.
//@ apart: threads
#include <pthread.h>
int main(void) {
  pthread_mutex_t lock;
  pthread_mutex_lock(&lock); //~ bug: uninitialised-value
  return 0;
}
