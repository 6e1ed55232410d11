//@ paths: 4
// printf returns how much it wrote, also where the number is not known.
#include <effigy.h>
#include <stdio.h>
int main(void) {
  int n = printf("%d\n", effigy_char("x"));
  switch (n) {
    case 2: return 2;
    case 3: return 3;
    case 4: return 4;
    case 5: return 5;
    default: return 1;
  }
}
