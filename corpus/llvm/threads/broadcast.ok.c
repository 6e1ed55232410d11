// A signal is for one of those that wait, a broadcast for all: which one it was decides the output.
//@ apart: threads
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go, order;
static void *wait(void *number) {
  pthread_mutex_lock(&m);
  while (!go) pthread_cond_wait(&c, &m);
  go--;
  order = order * 10 + (int)(long)number;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait, (void *)1L);
  pthread_create(&b, 0, wait, (void *)2L);
  pthread_mutex_lock(&m);
  go = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  go++;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%d\n", order);
  return 0;
}
