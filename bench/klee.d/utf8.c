// UTF-8 is validated: no overlong form, no surrogate, nothing above 10FFFF.
#include <klee/klee.h>
#ifndef N
#define N 8
#endif
int main(void) {
  unsigned char s[N];
  klee_make_symbolic(s, sizeof s, "s");
  int count = 0;
  for (int i = 0; i < N; count++) {
    unsigned char first = s[i];
    int more;
    unsigned point, least;
    if (first < 0x80) {
      i++;
      continue;
    }
    if ((first & 0xe0) == 0xc0) more = 1, point = first & 31, least = 0x80;
    else if ((first & 0xf0) == 0xe0) more = 2, point = first & 15, least = 0x800;
    else if ((first & 0xf8) == 0xf0) more = 3, point = first & 7, least = 0x10000;
    else return 1;
    if (i + more >= N) return 2;
    for (int j = 1; j <= more; j++) {
      if ((s[i + j] & 0xc0) != 0x80) return 3;
      point = point << 6 | (s[i + j] & 63);
    }
    if (point < least) return 4;
    if (point >= 0xd800 && point <= 0xdfff) return 5;
    if (point > 0x10ffff) return 6;
    i += more + 1;
  }
  return count == 3 ? 7 : 0;
}
