// Who does not get the lock gives up: one at least has it.
//@ apart: threads
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
  int res = pthread_mutex_trylock(&lock);
  assert(res == 0 || res == EBUSY);
  if (res == 0) {
    total++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 1 || total == 2);
  return 0;
}
