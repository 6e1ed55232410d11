// pthread_once: the function runs once, before anybody goes on.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static int made;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make(void) { made++; }
static void *use(void *unused) {
  pthread_once(&once, make);
  assert(made == 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
