// A thread is joined twice.
//@ apart: threads
#include <pthread.h>
static void *work(void *it) { return it; }
int main(void) {
  pthread_t other;
  void *result;
  pthread_create(&other, 0, work, &other);
  pthread_join(other, &result);
  if (result != &other) return 1;
  pthread_join(other, 0); //~ bug: thread-misuse
  return 0;
}
