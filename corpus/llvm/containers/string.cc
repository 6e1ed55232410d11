// Strings, short and long ones.
#include <klee/klee.h>
#include <string>
#include <vector>
#include <cassert>
int main() {
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  text[3] = 0;
  std::string s = text;
  std::string t = s + ", and so on for a while";
  assert(t.size() == s.size() + 23);
  if (t.find("ab") == 0) assert(s.size() < 3); //~ bug: assertion-failed
  std::vector<std::string> all(2, t);
  all.push_back(s);
  return all.back() == s && all.size() == 3 ? 0 : 1;
}
