// A mutex that was never initialised.
//@ apart: threads
//@ replay: what the C library does depends on the bytes that are there
#include <pthread.h>
int main(void) {
  pthread_mutex_t lock;
  pthread_mutex_lock(&lock); //~ bug: uninitialised-value
  return 0;
}
