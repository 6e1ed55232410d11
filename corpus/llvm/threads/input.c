// The bug needs an input and a schedule.
//@ apart: threads
#include <assert.h>
#include <effigy.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int seen;
static int wanted;
static void *work(void *unused) {
  if (atomic_load(&seen) == 1 && wanted == 77) assert(0); //~ bug: assertion-failed
  return unused;
}
int main(void) {
  pthread_t other;
  wanted = effigy_int("wanted");
  pthread_create(&other, 0, work, 0);
  atomic_store(&seen, 1);
  atomic_store(&seen, 2);
  pthread_join(other, 0);
  return 0;
}
