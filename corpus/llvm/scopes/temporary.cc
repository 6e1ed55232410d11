// A temporary of C++ ends with its full expression.
#include <effigy.h>
struct S { int v; S(int v) : v(v) {} const int *at() const { return &v; } };
int main() {
  int k = effigy_int("k");
  effigy_assume(k < 100);
  const int *p = S(k).at();
  const S &kept = S(k + 1);
  effigy_assert(*kept.at() == k + 1);
  if (k == 9)
    return *p; //~ bug: use-after-scope
  return 0;
}
