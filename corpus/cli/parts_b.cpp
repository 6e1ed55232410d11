#include "parts.h"
#include <cassert>
#include <effigy.h>

extern "C" int third_name(int x);

__attribute__((weak)) int chosen(void) { return 2; }

int main() {
  unsigned char x;
  effigy_symbolic(&x, sizeof x, "x");
  Part part(x);
  assert(chosen() == 1);
  assert(third_name(x) == shared(x) + 2);
  assert(part.doubled() != 84);
  return 0;
}
