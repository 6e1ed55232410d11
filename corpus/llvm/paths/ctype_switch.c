//@ paths: 3
#include <ctype.h>
#include <effigy.h>
int main(void) {
  int c = effigy_uchar("c");
  if (isdigit(c)) return 1;
  if (isalpha(c)) return toupper(c) == 'Q' ? 3 : 2;
  return 0;
}
