// sscanf of an input reads what printf would write.
#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char s[4] = "7";
  effigy_symbolic(s + 1, 2, "s");
  int value = -1;
  char c = 0;
  int n = sscanf(s, "%d%c", &value, &c);
  if (n >= 1 && (value > 999 || value < -99)) abort();
  if (n == 2 && c == 0) abort();
  unsigned u;
  double d;
  char word[8], set[8];
  if (sscanf("  12 0x1f 2.5 word abc-1", "%*d %x %lf %7s %3[a-c]", &u, &d, word, set) != 4) abort();
  printf("%u %g %s %s\n", u, d, word, set);
  return n == -1 ? 9 : n;
}
