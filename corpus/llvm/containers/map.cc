// A map of strings finds what was put into it.
#include <klee/klee.h>
#include <map>
#include <string>
#include <cassert>
int main() {
  char a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  std::map<std::string, int> ages;
  ages[std::string(1, a)] = 1;
  ages["b and a name that does not fit a short string"] = 2;
  ages[std::string(1, b)] = 3;
  if (ages.size() == 2) assert(a == b);
  if (ages.begin()->second == 2) assert(0); //~ bug: assertion-failed
  return ages.size();
}
