// Elements that are the same for one input.
//@ apart: threads
#include <effigy.h>
#include <pthread.h>
static int all[8];
static unsigned char shift;
static void *work(void *number) {
  all[(long)number == 0 ? 3 : shift & 7] = 1; //~ bug: data-race
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
