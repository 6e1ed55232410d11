// scanf and fscanf read standard input as a person would type it: a number, what follows it, or neither.
//@ flags: --sym-stdin 3
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int value = -1;
  char c = 0;
  int n = scanf("%d%c", &value, &c);
  if (n == 2 && c >= '0' && c <= '9') abort();
  if (n >= 1 && (value > 999 || value < -99)) abort();
  if (n == 1 && value == 42) return 1 / (value - 42); //~ bug: division-by-zero
  char rest[8] = "";
  if (fscanf(stdin, "%7[a-c]", rest) == 1 && (rest[0] < 'a' || rest[0] > 'c')) abort();
  return 0;
}
