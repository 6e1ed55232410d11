//@ paths: 2
// A static variable of a function is constructed once.
#include <cstdio>
#include <effigy.h>
struct Counter {
  int value;
  explicit Counter(int start) : value(start) { std::puts("made"); }
  ~Counter() { std::printf("gone at %d\n", value); }
};
static int next(int start) {
  static Counter counter(start);
  return counter.value++;
}
static Counter global(100);
int main() {
  int n = effigy_bool("many") ? 3 : 1, sum = 0;
  for (int i = 0; i < n; i++) sum += next(10 * (i + 1));
  return sum;
}
