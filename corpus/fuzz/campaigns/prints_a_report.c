// A program that prints what sanitizers print has no bug.
//@ exit: 0
//@ seeds: ((( )))
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int line = 1, depth = 0;
  for (size_t i = 0; i < size; i++) {
    if (data[i] == '\n') line++;
    if (data[i] == '(') depth++;
    if (data[i] == ')' && --depth < 0) {
      fprintf(stderr, "script:%d: runtime error: unbalanced )\n", line);
      fprintf(stderr, "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2\nREAD of size 1\n");
      fprintf(stderr, "effigy: script:%d: assertion-failed: none\nprogram: a.c:1: f: Assertion `x' failed.\n", line);
      return 0;
    }
  }
  return 0;
}
