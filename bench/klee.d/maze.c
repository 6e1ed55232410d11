// A maze that is walked by the input: every walk that stays within it, and those that come out.
#include <klee/klee.h>
#ifndef N
#define N 24
#endif
static const char *const MAZE[] = {
    "###########", "#S  #     #", "# # # ### #", "# #   #   #", "# ##### # #",
    "#     # # #", "##### # # #", "#   # # # #", "# #   #  E#", "###########"};
int main(void) {
  char steps[N];
  klee_make_symbolic(steps, sizeof steps, "steps");
  int x = 1, y = 1;
  for (int i = 0; i < N; i++) {
    int dx = 0, dy = 0;
    switch (steps[i]) {
    case 'n': dy = -1; break;
    case 's': dy = 1; break;
    case 'w': dx = -1; break;
    case 'e': dx = 1; break;
    default: return 1;
    }
    // No way back: walks are as long as they are far.
    if (i > 0 && ((steps[i - 1] == 'n' && dy == 1) || (steps[i - 1] == 's' && dy == -1) ||
                  (steps[i - 1] == 'w' && dx == 1) || (steps[i - 1] == 'e' && dx == -1)))
      return 2;
    if (MAZE[y + dy][x + dx] == '#') return 3;
    x += dx;
    y += dy;
    if (MAZE[y][x] == 'E') return 0;
  }
  return 4;
}
