// std::thread: a variable that both write.
//@ apart: threads
#include <thread>
static int total;
int main() {
  std::thread a([] { total++; }); //~ bug: data-race
  total++;
  a.join();
  return total;
}
