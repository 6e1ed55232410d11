// std::thread, a mutex, a condition variable and a static variable that is initialised once.
//@ apart: threads
//@ incomplete: memory-order
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex m;
static std::condition_variable c;
static bool ready;
static int total;
static int made() {
  static int value = ++total;
  return value;
}
int main() {
  std::thread a([] {
    std::lock_guard<std::mutex> lock(m);
    ready = true;
    made();
    c.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(m);
    c.wait(lock, [] { return ready; });
    made();
  }
  a.join();
  return total;
}
