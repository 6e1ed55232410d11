/* A number of ten digits with the check digit of Luhn, and its remainder by a prime. */
#include <effigy.h>

int main(void) {
  char text[10];
  effigy_symbolic(text, sizeof text, "text");
  unsigned long number = 0;
  unsigned sum = 0;
  for (int i = 0; i < 10; i++) {
    effigy_assume(text[i] >= '0' && text[i] <= '9');
    unsigned digit = (unsigned)(text[i] - '0');
    number = number * 10 + digit;
    unsigned twice = i % 2 == 0 ? 2 * digit : digit;
    sum += twice / 10 + twice % 10;
  }
  if (sum % 10 != 0) return 1;
  if (sum > 70) return 2;
  if ((long)number % 9973 == 17) return 3;
  if ((long)number % 97 == 1 && text[0] == '9') return 4;
  return 0;
}
