// Double-checked locking without atomics: the first look races with the write.
//@ apart: threads
#include <pthread.h>
#include <stdlib.h>
static int *instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *use(void *unused) {
  if (!instance) { //~ bug: data-race
    pthread_mutex_lock(&lock);
    if (!instance) {
      int *made = malloc(sizeof *made);
      *made = 7;
      instance = made; //~ bug: data-race
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(instance);
  return 0;
}
