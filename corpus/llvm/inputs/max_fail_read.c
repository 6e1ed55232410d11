//@ flags: --max-fail 2 --sym-stdin 4
//@ paths: 69
// A loop that reads until it has all, and takes an interruption for none.
#include <errno.h>
#include <string.h>
#include <unistd.h>

static ssize_t all(int from, char *to, size_t count) {
  size_t have = 0;
  while (have < count) {
    ssize_t now = read(from, to + have, count - have);
    if (now == 0) break;
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) return -1;
    have += (size_t)now;
  }
  return (ssize_t)have;
}

int main(void) {
  char data[4] = {0};
  ssize_t count = all(0, data, sizeof data);
  if (count < 0) return 1;
  return count == 4 && memcmp(data, "GET ", 4) == 0 ? 7 : 0;
}
