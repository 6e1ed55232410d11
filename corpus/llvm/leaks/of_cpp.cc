// An object of C++ that is not deleted, with the storage that only it leads to.
//@ apart: leak
#include <effigy.h>
#include <vector>
int main() {
  auto *numbers = new std::vector<int>(3); //~ bug: leak
  if (effigy_bool("deleted")) delete numbers;
  return 0;
}
