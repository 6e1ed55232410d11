#include <effigy.h>
int main(void) {
  int value = 3;
  int *at = &value;
  if (effigy_int("n") == 7) at = &value;
  return *at;
}
