// A recursion that is as deep as the input is long.
//@ exit: 1
//@ runs: 5000000
//@ flags: --no-symbolic --stop-at-first-bug
#include <stddef.h>
#include <stdint.h>

__attribute__((noinline)) static int read_list(const uint8_t *data, size_t size, size_t at) { //~ bug: stack-overflow
  volatile char room[4096];
  room[at % 4096] = 1;
  if (at < size && data[at] == '(') return read_list(data, size, at + 1) + room[0];
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return read_list(data, size, 0) & 0;
}
