#include <effigy.h>
#include <stddef.h>
static int value = 5;
static int *find(int key) { return key == 7 ? NULL : &value; }
int main(void) {
  int key = effigy_int("key");
  effigy_assume(key <= 7);
  return *find(key); //~ bug: null-dereference
}
