// A semaphore hands a value over.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t full;
static int value;
static void *work(void *unused) {
  value = 3;
  sem_post(&full);
  return unused;
}
int main(void) {
  pthread_t other;
  sem_init(&full, 0, 0);
  pthread_create(&other, 0, work, 0);
  sem_wait(&full);
  assert(value == 3);
  pthread_join(other, 0);
  sem_destroy(&full);
  return 0;
}
