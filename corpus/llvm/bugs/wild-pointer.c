#include <effigy.h>
int main(void) {
  int value = 3;
  int *at = &value;
  if (effigy_int("n") == 7) at = (int *)0x7000;
  return *at; //~ bug: wild-pointer
}
