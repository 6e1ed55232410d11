/* UTF-8 to code points: pieces of bits put together; the remainder of their hash. */
#include <effigy.h>

static int decode(const unsigned char *at, unsigned left, unsigned *out) {
  unsigned first = at[0], more;
  if (first < 0x80) {
    *out = first;
    return 1;
  }
  if (first >= 0xc2 && first < 0xe0) {
    more = 1;
    *out = first & 0x1f;
  } else if (first >= 0xe0 && first < 0xf0) {
    more = 2;
    *out = first & 0x0f;
  } else if (first >= 0xf0 && first < 0xf5) {
    more = 3;
    *out = first & 0x07;
  } else {
    return 0;
  }
  if (more >= left) return 0;
  for (unsigned i = 1; i <= more; i++) {
    if ((at[i] & 0xc0) != 0x80) return 0;
    *out = *out << 6 | (at[i] & 0x3f);
  }
  if (more == 2 && (*out < 0x800 || (*out >= 0xd800 && *out < 0xe000))) return 0;
  if (more == 3 && (*out < 0x10000 || *out > 0x10ffff)) return 0;
  return (int)more + 1;
}

int main(void) {
  unsigned char text[6];
  effigy_symbolic(text, sizeof text, "text");
  unsigned hash = 0, point;
  for (unsigned at = 0; at < sizeof text;) {
    int count = decode(text + at, sizeof text - at, &point);
    if (count == 0) return 1;
    effigy_assert(point <= 0x10ffff);
    hash = hash * 3 + point % 17;
    at += (unsigned)count;
  }
  effigy_assume(hash % 17 == 11);
  effigy_assert(hash != 45);
  return 0;
}
