// What moves may overlap.
#include <effigy.h>
#include <string.h>
int main(void) {
  char text[9] = "abcdefgh";
  unsigned n = effigy_uint("n");
  effigy_assume(n <= 4);
  memmove(text + 2, text, n);
  effigy_assert(text[2] == (n > 0 ? 'a' : 'c'));
  effigy_assert(text[5] == (n > 3 ? 'd' : 'f'));
  effigy_assert(text[6] == 'g');
  return 0;
}
