// The digits of an address.
//@ incomplete: in line 8 depends on where objects lie
#include <stdio.h>
int main(void) {
  int x;
  char text[32];
  snprintf(text, sizeof text, "%p", (void *)&x);
  if (text[8] == '7') return 1;
  return 0;
}
