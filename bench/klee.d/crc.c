// CRC-32 of N bytes, bit by bit, and with a table; a checksum guards what follows.
#include <assert.h>
#include <klee/klee.h>
#ifndef N
#define N 4
#endif
static unsigned table[256];
int main(void) {
  unsigned char data[N];
  unsigned given;
  klee_make_symbolic(data, sizeof data, "data");
  klee_make_symbolic(&given, sizeof given, "given");
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  unsigned crc = ~0u, slow = ~0u;
  for (int i = 0; i < N; i++) {
    crc = table[(crc ^ data[i]) & 255] ^ crc >> 8;
    slow ^= data[i];
    for (int k = 0; k < 8; k++) slow = slow >> 1 ^ (0xedb88320u & -(slow & 1));
  }
  assert(crc == slow);
  if (~crc != given) return 1;
  if (data[0] == 'E' && data[1] == 'F') return 2;
  return data[N - 1] == (given & 255) ? 3 : 0;
}
