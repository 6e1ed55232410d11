// The storage of a vector is larger than what it holds: the rest is not to be used.
#include <effigy.h>
#include <vector>
int main() {
  std::vector<int> numbers;
  numbers.reserve(8);
  numbers.push_back(1);
  numbers.push_back(2);
  unsigned char at = effigy_uchar("at");
  effigy_assume(at < 8);
  if (effigy_bool("cleared")) {
    const int &first = numbers[0];
    numbers.clear();
    return first; //~ bug: out-of-bounds-read
  }
  numbers.data()[at] = 5; //~ bug: out-of-bounds-write
  return 0;
}
