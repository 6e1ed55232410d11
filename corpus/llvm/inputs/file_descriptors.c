// Two descriptors of one open file stand at the same place, and one may be closed.
//@ flags: --sym-file in 4
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  int one = open("in", O_RDONLY), two = dup(one);
  char a = 0, b = 0, c = 0;
  if (one < 0 || two < 0) return 9;
  if (read(one, &a, 1) != 1) return 0;
  if (close(one) != 0 || read(two, &b, 1) != 1) return 0;
  if (dup2(two, 30) != 30 || lseek(30, 0, SEEK_CUR) != 2) return 7;
  if (read(30, &c, 1) != 1) return 0;
  if (dup(99) != -1) return 6;
  if (a == '1' && b == '2' && c == '3') abort(); //~ bug: abort
  return lseek(two, 0, SEEK_CUR) == 3 ? 0 : 5;
}
