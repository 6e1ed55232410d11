#include <effigy.h>

int look(int i) {
  int t[2] = {5, 6};
  if (i != 0 && i != 1)
    return -1;
  return t[i];
}

int main(void) {
  int i = effigy_int("i");
  return look(i);
}
