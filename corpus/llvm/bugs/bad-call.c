#include <effigy.h>
static int one(void) { return 1; }
static int data = 5;
int main(void) {
  void *table[2] = {(void *)one, &data};
  int n = effigy_choose(2);
  int (*f)(void) = (int (*)(void))table[n];
  return f(); //~ bug: bad-call
}
