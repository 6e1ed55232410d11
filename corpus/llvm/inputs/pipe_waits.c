//@ incomplete: waits for ever
// Nobody will ever write.
#include <unistd.h>
int main(void) {
  int ends[2];
  char c;
  if (pipe(ends) != 0) return 1;
  return (int)read(ends[0], &c, 1);
}
