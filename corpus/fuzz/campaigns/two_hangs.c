// Two hangs are two hangs, with their places.
//@ exit: 1
//@ seeds: HANGxx SLEPyy
//@ hangs: 2
//@ runs: 2000
//@ flags: --timeout 200ms --no-symbolic
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static volatile int sink;

static void spin(void) {
  for (;;) sink++; //~ bug: hang
}

static void rest(void) {
  for (;;) sleep(1); //~ bug: hang
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 6) return 0;
  if (!memcmp(data, "HANG", 4)) spin();
  if (!memcmp(data, "SLEP", 4)) rest();
  return 0;
}
