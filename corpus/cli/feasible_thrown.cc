#include <effigy.h>

struct Guard {
  ~Guard() {}
};

// It ends by taking the exception further.
static void check(int n) {
  Guard guard;
  if (n > 3) throw 1;
}

int main() {
  int n = effigy_int("n");
  try {
    check(n);
  } catch (int) {
    return 1;
  }
  return 0;
}
