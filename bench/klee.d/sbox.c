// AES's substitution box, computed, looked up at a symbolic byte, and found again.
#include <klee/klee.h>
#ifndef N
#define N 3
#endif
static unsigned char box[256];
static unsigned char rotated(unsigned char x, int by) { return (unsigned char)(x << by | x >> (8 - by)); }
int main(void) {
  unsigned char p = 1, q = 1;
  do {
    p = (unsigned char)(p ^ (p << 1) ^ (p & 0x80 ? 0x1b : 0));
    q ^= (unsigned char)(q << 1);
    q ^= (unsigned char)(q << 2);
    q ^= (unsigned char)(q << 4);
    if (q & 0x80) q ^= 0x09;
    box[p] = q ^ rotated(q, 1) ^ rotated(q, 2) ^ rotated(q, 3) ^ rotated(q, 4) ^ 0x63;
  } while (p != 1);
  box[0] = 0x63;
  unsigned char key[N], byte;
  klee_make_symbolic(key, sizeof key, "key");
  klee_make_symbolic(&byte, sizeof byte, "byte");
  for (int i = 0; i < N; i++) {
    byte = box[byte ^ key[i]];
    if (byte == 0x10 * i) return i + 1;
  }
  if (box[byte] == byte) return 5;
  return box[byte] == 0xff ? 6 : 0;
}
