// A signal to its own group reaches the program alone, and is a bug with its input.
//@ exit: 1
//@ seeds: KILL
//@ crashes: 1
//@ bug: crash
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= 4 && !memcmp(data, "KILL", 4)) kill(0, SIGTERM);
  return 0;
}
