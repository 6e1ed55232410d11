// The links of a list, and an iterator that outlives its node.
#include <klee/klee.h>
#include <list>
int main() {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  std::list<int> all{3, x, 5};
  all.sort();
  auto first = all.begin();
  int least = *first;
  all.remove(least);
  if (least == 2) return *first; //~ bug: use-after-free
  return all.size();
}
