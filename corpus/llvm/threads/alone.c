// Without a second thread a mutex changes nothing: the division by zero is certain.
//@ apart: threads
#include <effigy.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  int a = effigy_int("a");
  effigy_assume(a >= 0 && a < 10);
  pthread_mutex_lock(&lock);
  int b = 10 / a; //~ bug: division-by-zero
  pthread_mutex_unlock(&lock);
  return b;
}
