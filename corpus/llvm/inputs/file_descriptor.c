// Files by their descriptors: read, seek, write, and read again.
//@ flags: --sym-file in.txt 3
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  char text[8];
  if (open("none.txt", O_RDONLY) != -1 || errno != ENOENT) return 90;
  if (access("none.txt", R_OK) == 0 || access("in.txt", R_OK) != 0) return 91;
  int in = open("in.txt", O_RDONLY);
  if (in != 3) return 92;
  ssize_t count = read(in, text, 2);
  off_t end = lseek(in, 0, SEEK_END);
  if (count > end || end > 3) return 93;
  if (read(in, text, 1) != 0 || write(in, text, 1) != -1 || errno != EBADF) return 94;
  close(in);
  if (read(in, text, 1) != -1) return 95;
  int out = open("out.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (write(out, text, count) != count || write(out, "!", 1) != 1) return 96;
  if (lseek(out, 0, SEEK_SET) != 0) return 97;
  char back[8];
  if (read(out, back, sizeof back) != count + 1 || back[count] != '!') return 98;
  if (memcmp(back, text, count) != 0) return 99;
  close(out);
  if (unlink("out.txt") != 0 || open("out.txt", O_RDONLY) != -1) return 89;
  return count == 2 && back[0] == 'o' && back[1] == 'k';
}
