// Main returns while a thread runs: what the thread does may happen before.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static void *work(void *unused) {
  assert(0); //~ bug: assertion-failed
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  return 0;
}
