// A recursive mutex is locked twice and given back twice; an error-checking one says so.
//@ apart: threads
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t lock, checked;
static int total;
static void inner(void) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
}
static void *add(void *unused) {
  pthread_mutex_lock(&lock);
  inner();
  total++;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &kind);
  assert(pthread_mutex_unlock(&checked) == EPERM);
  pthread_mutex_lock(&checked);
  assert(pthread_mutex_lock(&checked) == EDEADLK);
  pthread_mutex_unlock(&checked);
  pthread_create(&a, 0, add, 0);
  add(0);
  pthread_join(a, 0);
  assert(total == 4);
  pthread_mutex_destroy(&lock);
  return 0;
}
