// Values under keys: each thread has its own, and the destructor runs at the end of a thread.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key;
static int freed;
static void drop(void *value) {
  freed += *(int *)value;
  free(value);
}
static void *work(void *unused) {
  assert(pthread_getspecific(key) == 0);
  int *value = malloc(sizeof *value);
  *value = 3;
  pthread_setspecific(key, value);
  return unused;
}
int main(void) {
  pthread_t other;
  int own = 1;
  pthread_key_create(&key, drop);
  pthread_setspecific(key, &own);
  pthread_create(&other, 0, work, 0);
  pthread_join(other, 0);
  assert(freed == 3 && pthread_getspecific(key) == &own);
  pthread_key_delete(key);
  return 0;
}
