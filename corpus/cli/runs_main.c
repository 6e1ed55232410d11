#include <effigy.h>
int main(void) {
  unsigned char text[3];
  effigy_symbolic(text, sizeof text, "text");
  int equal = 0;
  for (int i = 1; i < 3; i++)
    if (text[i] == text[i - 1]) equal++;
  return equal;
}
