// Base64 is decoded, and what was decoded is encoded again.
#include <assert.h>
#include <klee/klee.h>
#ifndef N
#define N 8
#endif
static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}
int main(void) {
  char text[N];
  unsigned char bytes[N / 4 * 3];
  int count = 0;
  klee_make_symbolic(text, sizeof text, "text");
  for (int i = 0; i < N; i += 4) {
    int v[4];
    for (int j = 0; j < 4; j++) {
      v[j] = value(text[i + j]);
      if (v[j] < 0) return 1;
    }
    bytes[count++] = (unsigned char)(v[0] << 2 | v[1] >> 4);
    bytes[count++] = (unsigned char)(v[1] << 4 | v[2] >> 2);
    bytes[count++] = (unsigned char)(v[2] << 6 | v[3]);
  }
  for (int i = 0, j = 0; i < count; i += 3, j += 4) {
    unsigned all = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | bytes[i + 2];
    // One digit of each group is looked up again.
    assert(DIGITS[all >> 6 & 63] == text[j + 2]);
  }
  return 0;
}
