/* A number to its decimal digits, and what they are together. */
#include <effigy.h>

int main(void) {
  unsigned n = effigy_uint("n");
  char digits[10];
  int count = 0;
  unsigned sum = 0;
  for (unsigned rest = n; count < 10; rest /= 10) {
    digits[count++] = (char)('0' + rest % 10);
    sum += rest % 10;
    if (rest < 10) break;
  }
  for (int i = 0; i < count; i++) effigy_assert(digits[i] >= '0' && digits[i] <= '9');
  if (count == 5 && digits[0] == digits[4] && digits[1] == digits[3] && sum == 40) return 1;
  if (count == 8 && sum == 71) return 2;
  if (count == 4 && sum == 37) return 3;
  /* Back again, as a program would read it. */
  unsigned back = 0;
  for (int i = count; i-- > 0;) back = back * 10 + (unsigned)(digits[i] - '0');
  effigy_assert(count > 4 || back == n);
  return 0;
}
