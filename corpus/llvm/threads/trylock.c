// Who does not get the lock goes on without it.
//@ apart: threads
#include <pthread.h>
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
  int got = pthread_mutex_trylock(&lock) == 0;
  total++; //~ bug: data-race
  if (got) pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
