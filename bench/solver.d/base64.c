/* Base64 is decoded, and its bytes go through a hash: sums of pieces, factors of 31. */
#include <effigy.h>

static int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

int main(void) {
  char text[4];
  effigy_symbolic(text, sizeof text, "text");
  unsigned bits = 0;
  for (int i = 0; i < 4; i++) {
    int value = value_of(text[i]);
    if (value < 0) return 1;
    bits = bits << 6 | (unsigned)value;
  }
  unsigned char bytes[3] = {(unsigned char)(bits >> 16), (unsigned char)(bits >> 8), (unsigned char)bits};
  unsigned hash = 7;
  for (int i = 0; i < 3; i++) hash = hash * 31 + bytes[i];
  if (hash % 97 == 13) return 2;
  if (bytes[0] + bytes[1] + bytes[2] == 700) return 3;
  return 0;
}
