//@ bug: abort
//@ guard: a record in a record in a record, each with its length, exactly as long as it says
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static const uint8_t *inner(const uint8_t *data, size_t size, uint8_t tag, size_t *length) {
  if (size < 3 || data[0] != tag) return NULL;
  *length = (size_t)(data[1] << 8 | data[2]);
  return *length == size - 3 ? data + 3 : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *at = inner(data, size, 0x30, &size);
  if (at) at = inner(at, size, 0x31, &size);
  if (at) at = inner(at, size, 0x32, &size);
  if (at && size == 9 && at[8] == 0xa5) abort();
  return 0;
}
