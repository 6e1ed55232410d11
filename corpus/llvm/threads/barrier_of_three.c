// A barrier for three, to which two come.
//@ apart: threads
#include <pthread.h>
static pthread_barrier_t barrier;
static void *arrives(void *unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&other, 0, arrives, 0);
  pthread_barrier_wait(&barrier); //~ bug: deadlock
  pthread_join(other, 0);
  return 0;
}
