// Two threads add without a lock: an update may be lost, and the race is found.
//@ apart: threads
#include <pthread.h>
static int total;
static void *add(void *unused) {
  total = total + 1; //~ bug: data-race
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return total;
}
