#include <effigy.h>
int main(void) {
  int n = effigy_choose(2);
  switch (n) {
  case 0: return 10;
  case 1: return 11;
  }
  __builtin_unreachable();
}
