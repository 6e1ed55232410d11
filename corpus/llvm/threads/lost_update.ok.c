// The same under a mutex: the sum is what it must be, whoever comes first.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *amount) {
  pthread_mutex_lock(&lock);
  total = total + *(int *)amount;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, 0, add, &one);
  pthread_create(&b, 0, add, &two);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 3);
  return 0;
}
