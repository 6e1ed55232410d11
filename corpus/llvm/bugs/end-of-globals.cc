// Destructors of globals and of static variables of functions run, the last constructed first.
#include <effigy.h>
struct Holder {
  int *at;
  explicit Holder(int n) : at(new int(n)) {}
  ~Holder() {
    delete at;
    if (*at == 3) *at = 4; //~ bug: use-after-free
  }
};
static Holder &only() {
  static Holder holder(3);
  return holder;
}
int main() {
  if (effigy_bool("made")) {
    if (*only().at != 3 || only().at != only().at) return 1;
  }
  return 0;
}
