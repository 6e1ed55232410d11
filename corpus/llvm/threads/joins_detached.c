// A thread is joined that was detached.
//@ apart: threads
#include <pthread.h>
static void *work(void *it) { return it; }
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  pthread_detach(other);
  pthread_join(other, 0); //~ bug: thread-misuse
  return 0;
}
