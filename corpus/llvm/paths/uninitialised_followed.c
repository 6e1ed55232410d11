//@ flags: --sym-stdin 2
//@ paths: 5
// What a path does behind the use of a value that was never written, a native run need not do: its tests say so, and are
// not replayed. Those of the other paths are.
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  char own[2];
  char *copy = malloc(4);
  ssize_t count = read(0, own, 2);
  if (count == 1) copy[0] = own[1];
  else if (count == 2) copy[0] = own[1];
  else return free(copy), 1;
  if (copy[0] == 'q' && count == 1) return free(copy), 3; //~ bug: uninitialised-value
  free(copy);
  return 0;
}
