// A stack without locks: between the read of the top and the exchange others have taken and put back the top.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int top = 2, next_of_2 = 1, taken_1;
static void *pops_slowly(void *unused) {
  int old = atomic_load(&top);
  if (old == 2) {
    int below = atomic_load(&next_of_2);
    if (atomic_compare_exchange_strong(&top, &old, below) && below == 1)
      assert(!atomic_load(&taken_1)); //~ bug: assertion-failed
  }
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, pops_slowly, 0);
  int expected = 2;
  if (atomic_compare_exchange_strong(&top, &expected, 1)) {
    expected = 1;
    if (atomic_compare_exchange_strong(&top, &expected, 0)) {
      atomic_store(&taken_1, 1);
      expected = 0;
      atomic_compare_exchange_strong(&top, &expected, 2);
    }
  }
  pthread_join(other, 0);
  return 0;
}
