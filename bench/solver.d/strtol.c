/* A number of six characters, then what a program does with it: remainders, a square. */
#include <effigy.h>
#include <stdlib.h>

int main(void) {
  char text[7];
  effigy_symbolic(text, sizeof text - 1, "text");
  for (int i = 0; i < 6; i++) effigy_assume(text[i] >= '0' && text[i] <= '9');
  text[6] = 0;
  long v = 0;
  for (const char *at = text; *at; at++) v = v * 10 + (*at - '0');
  if (v % 7 == 3) {
    if (v / 13 == 4711) return 1;
    if (v % 13 == 5) return 2;
  }
  if (v / 1000 == v % 1000) return 5;
  if (v * v % 1009 == 1010) return 3;
  if (v * v == 152399025) return 4;
  return 0;
}
