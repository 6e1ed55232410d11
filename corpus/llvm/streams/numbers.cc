// Numbers are read from a string stream, and written with manipulators.
//@ apart: bmc follows the stream through all merged paths, which takes more than a minute
#include <cassert>
#include <effigy.h>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
int main() {
  char text[3];
  effigy_symbolic(text, 2, "text");
  text[2] = 0;
  std::istringstream in(text);
  int number = 0;
  if (!(in >> number)) return 1;
  std::ostringstream out;
  out << std::setw(3) << std::setfill('0') << number << ' ' << std::hex << number;
  std::cout << out.str() << '\n';
  assert(out.str().size() < 6); //~ bug: assertion-failed
  return 0;
}
