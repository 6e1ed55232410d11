// A program that throws is run natively, and the account says why it is not run on symbols.
//@ exit: 0
//@ seeds: CAUGHT
//@ says: symbolic  none: 
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
