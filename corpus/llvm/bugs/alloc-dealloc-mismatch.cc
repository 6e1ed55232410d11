// Each allocation has the function that belongs to it.
#include <cstdlib>
#include <effigy.h>
int main() {
  switch (effigy_choose(5)) {
    case 0: delete new int[4]; break; //~ bug: alloc-dealloc-mismatch
    case 1: delete (char *)std::malloc(3); break; //~ bug: alloc-dealloc-mismatch
    case 2: std::free(new int(3)); break; //~ bug: alloc-dealloc-mismatch
    case 3: delete[] new char; break; //~ bug: alloc-dealloc-mismatch
    default:
      delete new int(1);
      delete[] new int[2];
      std::free(std::malloc(1));
  }
  return 0;
}
