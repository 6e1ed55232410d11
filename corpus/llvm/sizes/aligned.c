// What is allocated is as aligned as it was asked for; more than any object has is refused by name.
//@ incomplete: an alignment of more than 64 KiB
#include <effigy.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  int large = effigy_bool("large");
  char *page = aligned_alloc(4096, 8192);
  effigy_assert((uintptr_t)page % 4096 == 0);
  free(page);
  if (large) {
    char *huge = aligned_alloc(1 << 20, 1 << 20);
    effigy_assert((uintptr_t)huge % (1 << 20) == 0);
    free(huge);
  }
  return large;
}
