// Each thread writes its own element of one array, at a symbolic distance.
//@ apart: threads
#include <effigy.h>
#include <pthread.h>
static int all[8];
static unsigned char shift;
static void *work(void *number) {
  all[(shift & 3) + 4 * (long)number] = 1;
  return 0;
}
int main(void) {
  pthread_t other;
  shift = effigy_uchar("shift");
  pthread_create(&other, 0, work, (void *)1);
  work(0);
  pthread_join(other, 0);
  return 0;
}
