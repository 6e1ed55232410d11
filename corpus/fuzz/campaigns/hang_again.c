// A hang is no test that `effigy replay` runs, so the command that shows it again is another one.
//@ exit: 1
//@ seeds: HANG
//@ runs: 200
//@ flags: --timeout 200ms --no-symbolic
//@ says: effigy fuzz corpus/fuzz/campaigns/hang_again.c
//@ silent: effigy replay
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static volatile int sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= 4 && !memcmp(data, "HANG", 4))
    for (;;) sink++; //~ bug: hang
  return 0;
}
