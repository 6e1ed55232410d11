//@ apart: threads
//@ paths: 2
// Without a second thread a mutex changes nothing: results are certain, and replayed.
#include <effigy.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  int a = effigy_int("a");
  pthread_mutex_lock(&lock);
  if (a == 5) a = 1;
  pthread_mutex_unlock(&lock);
  return a == 1;
}
