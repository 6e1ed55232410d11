// Two traps in two functions are two bugs, and both inputs are kept.
//@ exit: 1
//@ seeds: HEADxx BODYyy
//@ crashes: 2
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void header(const uint8_t *data) {
  if (data[4] == 'x') __builtin_trap(); //~ bug: abort
}

static void body(const uint8_t *data) {
  if (data[5] == 'y') __builtin_trap(); //~ bug: abort
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 6) return 0;
  if (!memcmp(data, "HEAD", 4)) header(data);
  if (!memcmp(data, "BODY", 4)) body(data);
  return 0;
}
