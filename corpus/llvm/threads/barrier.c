// The barrier is left out in the second round: the next write races with a read that is still due.
//@ apart: threads
#include <pthread.h>
static int value, sum;
static pthread_barrier_t barrier;
static void *reads(void *unused) {
  pthread_barrier_wait(&barrier);
  sum = value; //~ bug: data-race
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&other, 0, reads, 0);
  value = 1;
  pthread_barrier_wait(&barrier);
  value = 2; //~ bug: data-race
  pthread_join(other, 0);
  return 0;
}
