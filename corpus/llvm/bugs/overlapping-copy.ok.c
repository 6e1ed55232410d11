#include <effigy.h>
#include <string.h>
int main(void) {
  char text[16] = "0123456789";
  int n = effigy_choose(2);
  if (n == 0) return 0;
  memcpy(text + 4, text, 4);
  return text[4];
}
