#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n = effigy_choose(3);
  if (n == 0) {
    // The program prints what sanitizers print.
    fprintf(stderr, "replay_unseen.c:1:1: runtime error: none\n==1==ERROR: AddressSanitizer: none\n");
    return 0;
  }
  // A block of no bytes.
  char *block = malloc(n == 1 ? 0 : 4);
  if (!block) return 0;
  if (n == 1) block[0] = 'A';
  free(block);
  return 0;
}
