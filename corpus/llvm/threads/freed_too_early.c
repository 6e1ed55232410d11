// Memory is freed while a thread may still use it.
//@ apart: threads
#include <pthread.h>
#include <stdlib.h>
static void *work(void *at) {
  *(int *)at = 1; //~ bug: use-after-free
  return 0;
}
int main(void) {
  pthread_t other;
  int *at = malloc(sizeof *at);
  pthread_create(&other, 0, work, at);
  free(at);
  pthread_join(other, 0);
  return 0;
}
