// What one thread frees the other reads: in one of two orders.
//@ apart: threads
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;
static void *end(void *unused) {
  pthread_mutex_lock(&m);
  free(p);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a;
  p = malloc(sizeof *p);
  if (!p) return 1;
  *p = 3;
  pthread_create(&a, 0, end, 0);
  pthread_mutex_lock(&m);
  int value = *p; //~ bug: use-after-free
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return value;
}
