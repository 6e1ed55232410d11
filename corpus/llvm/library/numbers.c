// Bytes in the order of the network, quotients, bits.
#include <arpa/inet.h>
#include <effigy.h>
#include <stdlib.h>
#include <strings.h>
int main(void) {
  unsigned x = effigy_uint("x");
  if (ntohl(htonl(x)) != x || ntohs(htons((unsigned short)x)) != (unsigned short)x) abort();
  if ((htonl(x) & 255) != x >> 24) abort();
  int b = effigy_choose(5) + 1;
  div_t parts = div((int)(x & 255), b);
  if (parts.quot * b + parts.rem != (int)(x & 255)) abort();
  unsigned seed = 1;
  return rand_r(&seed) % 100 + ffs(b);
}
