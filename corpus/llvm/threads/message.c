// The same with relaxed accesses: nothing orders the message.
//@ apart: threads
//@ incomplete: atomic accesses with a weaker order
#include <pthread.h>
#include <stdatomic.h>
static int message;
static atomic_int sent;
static void *send(void *unused) {
  message = 42;
  atomic_store_explicit(&sent, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, send, 0);
  int got = 0;
  if (atomic_load_explicit(&sent, memory_order_relaxed)) got = message; //~ bug: data-race
  pthread_join(other, 0);
  return got;
}
