// Runs that end because the program calls exit are counted.
//@ exit: 0
//@ runs: 300
//@ says: runs ended because the program called exit
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  exit(size > 2 && data[0] == 'x');
}
