//@ paths: 5
// C++: a template, a reference, a constructor of a global object.
#include <effigy.h>
struct Counter { int n; Counter(int start) : n(start) {} void add(int k) { n += k; } };
static Counter counter(40);
template <typename T> T least(const T &a, const T &b) { return a < b ? a : b; }
int main() {
  int n = effigy_int("n");
  counter.add(2);
  if (n < 0) return 1;
  if (n > 100) return 2;
  return least(n, counter.n) == n ? 3 : counter.n;
}
