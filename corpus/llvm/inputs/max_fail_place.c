//@ flags: --max-fail 1 --malloc-may-fail --sym-file in 3
//@ paths: 34
// A file is read and written where the last call has left off; closing may fail, and the file is closed all the same.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int file = open("in", O_RDWR);
  char *data = malloc(3);
  if (!data) return 1;
  ssize_t count = read(file, data, 3);
  free(data);
  if (count < 0) return 2;
  if (lseek(file, 0, SEEK_CUR) != count) abort();
  ssize_t more = write(file, "xyz", 3);
  if (lseek(file, 0, SEEK_CUR) != (more < 0 ? count : count + more)) abort();
  FILE *stream = fopen("in", "r");
  int size = 0;
  while (getc(stream) != EOF) size++;
  fclose(stream);
  printf("%zd %zd %d\n", count, more, size);
  if (close(file) != 0) return close(file) == -1 && errno == EBADF ? 3 : 4;
  return 0;
}
