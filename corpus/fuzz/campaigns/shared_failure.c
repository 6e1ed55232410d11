// Two checks that fail through four functions that both share: both inputs are kept, and both callers are named.
//@ exit: 1
//@ seeds: pxxx eyyy
//@ crashes: 2
//@ says: in parse
//@ says: in eval
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void die(const char *text) {
  fprintf(stderr, "%s\n", text);
  abort(); //~ bug: abort //~ bug: abort
}
__attribute__((noinline)) static void fail(const char *text) { die(text); }
__attribute__((noinline)) static void check(int holds, const char *text) {
  if (!holds) fail(text);
}
__attribute__((noinline)) static void must(int holds, const char *text) { check(holds, text); }
__attribute__((noinline)) static void parse(const uint8_t *data) { must(data[1] != 'x', "parse"); }
__attribute__((noinline)) static void eval(const uint8_t *data) { must(data[2] != 'y', "eval"); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4) return 0;
  if (data[0] == 'p') parse(data);
  if (data[0] == 'e') eval(data);
  return 0;
}
