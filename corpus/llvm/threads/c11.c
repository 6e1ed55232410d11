// threads.h: the lock is forgotten in one of two threads.
//@ apart: threads
#include <threads.h>
static mtx_t lock;
static int total;
static int work(void *unused) {
  total++; //~ bug: data-race
  return unused != 0;
}
int main(void) {
  thrd_t other;
  mtx_init(&lock, mtx_plain);
  thrd_create(&other, work, 0);
  mtx_lock(&lock);
  total++;
  mtx_unlock(&lock);
  thrd_join(other, 0);
  return 0;
}
