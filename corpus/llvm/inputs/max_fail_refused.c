//@ flags: --max-fail 1 --sym-file in 2
// Calls that fail by themselves are none of those that may.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char data[2] = {0};
  int ends[2], in = open("in", O_RDONLY);
  if (pipe(ends) != 0) return 50;
  assert(write(in, data, 1) == -1 && errno == EBADF);
  assert(read(ends[1], data, 1) == -1 && errno == EBADF);
  assert(pread(ends[0], data, 1, 0) == -1 && errno == ESPIPE);
  assert(pread(in, data, 1, -1) == -1 && errno == EINVAL);
  assert(close(77) == -1 && errno == EBADF);
  ssize_t count = read(in, data, 2);
  if (count < 0) return errno;
  return close(in) < 0 ? 30 + errno : (int)count;
}
