// A child that comes back from the program is no second loop, and forks without end come to an end.
//@ exit: 0
//@ runs: 500
//@ flags: --no-symbolic
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  for (int i = 0; i < 2; i++) fork();
  if (size > 3 && data[0] == 'f')
    while (fork() >= 0) {}
  return 0;
}
