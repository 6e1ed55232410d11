// threads.h: threads, a mutex, a condition variable, call_once.
//@ apart: threads
#include <assert.h>
#include <threads.h>
static mtx_t lock;
static cnd_t condition;
static once_flag flag = ONCE_FLAG_INIT;
static int ready, made;
static thread_local int own = 1;
static void make(void) { made++; }
static int work(void *amount) {
  call_once(&flag, make);
  mtx_lock(&lock);
  ready = *(int *)amount;
  cnd_signal(&condition);
  mtx_unlock(&lock);
  own++;
  return own + 5;
}
int main(void) {
  thrd_t other;
  int amount = 4, result;
  mtx_init(&lock, mtx_plain);
  cnd_init(&condition);
  thrd_create(&other, work, &amount);
  call_once(&flag, make);
  mtx_lock(&lock);
  while (!ready) cnd_wait(&condition, &lock);
  mtx_unlock(&lock);
  thrd_join(other, &result);
  assert(result == 7 && made == 1 && own == 1 && ready == 4);
  mtx_destroy(&lock);
  return 0;
}
