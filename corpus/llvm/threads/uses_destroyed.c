// A mutex is locked after it was destroyed.
//@ apart: threads
#include <pthread.h>
int main(void) {
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, 0);
  pthread_mutex_destroy(&lock);
  pthread_mutex_lock(&lock); //~ bug: lock-misuse
  return 0;
}
