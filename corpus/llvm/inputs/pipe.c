//@ flags: --sym-stdin 3
//@ paths: 4
// What goes into a pipe comes out of it, in parts of another size, to the end.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char data[3], back[2];
  int ends[2], sum = 0;
  ssize_t count = read(0, data, sizeof data), now;
  assert(pipe(ends) == 0);
  assert(write(ends[1], data, (size_t)count) == count);
  assert(lseek(ends[1], 0, SEEK_CUR) == -1 && errno == ESPIPE);
  int other = dup(ends[1]);
  assert(close(ends[1]) == 0 && write(other, "!", 1) == 1 && close(other) == 0);
  while ((now = read(ends[0], back, sizeof back)) > 0) sum += (int)now;
  assert(now == 0 && sum == count + 1);
  assert(read(ends[1], back, 1) == -1 && errno == EBADF);
  printf("%d %d\n", ends[0], ends[1]);
  return 0;
}
