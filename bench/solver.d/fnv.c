/* The hash of Fowler, Noll and Vo of four bytes: exclusive or, and multiplication by a constant. */
#include <effigy.h>

int main(void) {
  unsigned char text[4];
  effigy_symbolic(text, sizeof text, "text");
  unsigned hash = 0x811c9dc5u;
  for (unsigned i = 0; i < sizeof text; i++) hash = (hash ^ text[i]) * 0x01000193u;
  if (hash % 16 == 7 && text[0] == 'k') return 1;
  if (hash == 0x8ff6e4c0u) return 2;
  if (hash >> 12 == 0xabcde) return 3;
  if ((hash ^ hash >> 16) == 0x1234u) return 4;
  return 0;
}
