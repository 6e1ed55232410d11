// A queue with room for one: producer and consumer wait for each other.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static int queue[1], count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static void put(int value) {
  pthread_mutex_lock(&lock);
  while (count == 1) pthread_cond_wait(&not_full, &lock);
  queue[count++] = value;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}
static int take(void) {
  pthread_mutex_lock(&lock);
  while (count == 0) pthread_cond_wait(&not_empty, &lock);
  int value = queue[--count];
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return value;
}
static void *produce(void *unused) {
  put(1);
  put(2);
  return unused;
}
int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  int first = take(), second = take();
  assert(first == 1 && second == 2);
  pthread_join(producer, 0);
  return 0;
}
