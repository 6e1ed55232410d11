// A program that throws, and catches what it throws, is taken as it is.
//@ exit: 0
//@ seeds: CAUGHT
#include <cstddef>
#include <cstdint>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    if (size && data[0] == 'C') throw std::invalid_argument("caught");
  } catch (const std::invalid_argument &) {
    return 0;
  }
  return 0;
}
