// Philosophers: the last takes the fork on the right first.
//@ apart: threads
#include <pthread.h>
static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *eat(void *place) {
  long left = (long)place, right = (left + 1) % 3;
  long low = left < right ? left : right, high = left < right ? right : left;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return 0;
}
int main(void) {
  pthread_t all[3];
  for (long i = 0; i < 3; i++) pthread_create(&all[i], 0, eat, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(all[i], 0);
  return 0;
}
