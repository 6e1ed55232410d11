// A ring of four cells, of which one stays empty.
//@ verdict: correct
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int cells[4], first = 0, next = 0, inside = 0;
  for (int i = 0; i < 6; ++i) {
    if (__VERIFIER_nondet_bool()) {
      if ((next + 1) % 4 == first) continue;
      cells[next] = i;
      next = (next + 1) % 4;
      ++inside;
    } else if (first != next) {
      assert(cells[first] < i);
      first = (first + 1) % 4;
      --inside;
    }
    assert(inside == (next - first + 4) % 4);
  }
  return 0;
}
