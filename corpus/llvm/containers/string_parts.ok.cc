// Strings are changed by other strings, by parts of themselves and by literals: where these lie makes no difference.
#include <cassert>
#include <effigy.h>
#include <string>
int main() {
  char bytes[4] = {};
  effigy_symbolic(bytes, 3, "bytes");
  std::string text(bytes), other("a text that is longer than sixteen bytes");
  text.insert(0, "xy");
  text.append(other, 2, 4).replace(1, 1, bytes, 1);
  other.insert(1, other.c_str() + 3);
  other.assign(other.c_str() + 5, 6);
  text += text;
  text.replace(0, 2, text.c_str() + 4, 3);
  text.append(text.c_str() + 1, 2);
  assert(other == "ext th" || other.size() == 6);
  return text.size();
}
