// An exception that nobody catches is the bug, with its text; one that is caught is none.
//@ exit: 1
//@ seeds: CAUGHT THROWN
//@ says: uncaught exception std::runtime_error: bang
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

static void parse(const uint8_t *data) {
  if (data[0] == 'C') throw std::invalid_argument("caught");
  if (data[0] == 'T') throw std::runtime_error("bang"); //~ bug: abort
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 6) return 0;
  try {
    parse(data);
  } catch (const std::invalid_argument &) {
  }
  return 0;
}
