// Philosophers: each takes the fork on the left first.
//@ apart: threads
#include <pthread.h>
static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *eat(void *place) {
  long left = (long)place, right = (left + 1) % 3;
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]); //~ bug: deadlock
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return 0;
}
int main(void) {
  pthread_t all[3];
  for (long i = 0; i < 3; i++) pthread_create(&all[i], 0, eat, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(all[i], 0);
  return 0;
}
