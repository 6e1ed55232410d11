// Two rounds at one barrier: what was written before is read behind.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static int values[2], sums[2];
static pthread_barrier_t barrier;
static void *work(void *number) {
  long own = (long)number;
  values[own] = (int)own + 1;
  pthread_barrier_wait(&barrier);
  sums[own] = values[0] + values[1];
  pthread_barrier_wait(&barrier);
  assert(sums[1 - own] == 3);
  return 0;
}
int main(void) {
  pthread_t other;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&other, 0, work, (void *)1);
  work(0);
  pthread_join(other, 0);
  pthread_barrier_destroy(&barrier);
  return 0;
}
