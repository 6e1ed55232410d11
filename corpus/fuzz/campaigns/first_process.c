// Only the first process that comes here crashes: a crash that is not repeated, where each run has a process.
//@ exit: 3
//@ crashes: 1
//@ runs: 3000
//@ flags: --isolate --no-symbolic
//@ says: not repeated by a process of its own
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The loop runs in one folder, an input alone in another one that has such a file only where we make it.
  FILE *first = fopen("was-here", "wx");
  if (!first) return size && data[0] == 'x';
  fclose(first);
  if (getenv("EFFIGY_FUZZ_BOARD")) abort();
  return 0;
}
