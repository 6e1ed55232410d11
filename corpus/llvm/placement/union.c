// A number that is read where a pointer was written.
//@ incomplete: in line 8 depends on where objects lie
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  union { void *pointer; uintptr_t number; } it;
  it.pointer = malloc(1);
  if (it.number & 32) return free(it.pointer), 1;
  free(it.pointer);
  return 0;
}
