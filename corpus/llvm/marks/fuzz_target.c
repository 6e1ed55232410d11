// A target of libFuzzer: each text of up to eight bytes, in a block of its size.
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3 || data[0] != 'F' || data[1] != 'U') return 0;
  return data[2] == 'Z' && data[3] == 'Z'; //~ bug: out-of-bounds-read
}
