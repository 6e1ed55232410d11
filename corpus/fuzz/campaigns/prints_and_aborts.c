// What a program prints does not hide how it ends.
//@ exit: 1
//@ seeds: CRSH
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fprintf(stderr, "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2\nREAD of size 1\n"
                  "    #0 0x1 in evil evil.c:1:1\n");
  if (size > 3 && !memcmp(data, "CRSH", 4)) abort(); //~ bug: abort
  return 0;
}
