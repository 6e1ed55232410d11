/* A bug of each object that has no plain name in LLVM IR. */
#include <effigy.h>
#include <stdlib.h>

int *made(void);

static int counted(int n) {
  static int count[2];
  return count[n];
}

int main(void) {
  int which = effigy_int("which"), a[3][4] = {{0}}, four = 4, three = 3, b[2] = {0};
  int cube[2][3][4] = {{{0}}};
  switch (which) {
    case 0: return a[2][four];
    case 1: return a[three][0];
    case 2: return cube[1][2][four + 1];
    case 3: {
      int room[three];
      room[three] = 1;
      return room[0];
    }
    case 4: {
      char *text = "hello";
      text[0] = 'j';
      return 0;
    }
    case 5: return "abc"[four];
    case 6: return counted(2);
    case 7: {
      int *at = made();
      free(at);
      free(at);
      return 0;
    }
    case 8: {
      int b[3] = {0};
      return b[three];
    }
    default: {
      int *own = malloc(4);
      own[0] = 1;
      free(own);
      return own[0] + b[0];
    }
  }
}
