// Each thread has a copy, with its own address and the initial value.
//@ apart: threads
#include <assert.h>
#include <pthread.h>
static _Thread_local int own = 5;
static _Thread_local int table[2];
static int *of_main;
static void *work(void *unused) {
  assert(own == 5 && table[1] == 0 && &own != of_main && *of_main == 6);
  own = 7;
  table[1] = 8;
  return unused;
}
int main(void) {
  pthread_t other;
  own = 6;
  table[1] = 9;
  of_main = &own;
  pthread_create(&other, 0, work, 0);
  pthread_join(other, 0);
  assert(own == 6 && table[1] == 9);
  return 0;
}
