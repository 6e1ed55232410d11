//@ flags: --max-fail 1 --sym-file in 3 --sym-file out 0
//@ paths: 25
// A copy that takes every read and write for whole: what is left behind shows.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char data[3];
  int from = open("in", O_RDONLY), to = open("out", O_WRONLY);
  ssize_t count = read(from, data, sizeof data);
  if (count < 0) return errno == EIO ? 1 : errno == EINTR ? 2 : 3;
  ssize_t done = write(to, data, (size_t)count);
  if (done < 0) return 4;
  assert(done == count); //~ bug: assertion-failed
  return close(to) == 0 ? 0 : 5;
}
