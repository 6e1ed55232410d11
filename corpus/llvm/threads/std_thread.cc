// std::thread: a variable that both write.
//@ apart: threads
#include <thread>
static int total;
int main() {
  std::thread a([] { total++; });
  total++; //~ bug: data-race
  a.join();
  return total;
}
