// What is registered for the end runs while other threads do: they take turns with it.
//@ apart: threads
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void at_end(void) {
  pthread_mutex_lock(&m);
  printf("end %d\n", n);
  pthread_mutex_unlock(&m);
}
static void *add(void *unused) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a;
  atexit(at_end);
  pthread_create(&a, 0, add, 0);
  pthread_detach(a);
  return 0;
}
