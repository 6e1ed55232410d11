#include <stdlib.h>

/* Godefroid, Levin, Molnar 2008, figure 1; the slides of IA159, "Example". */
void top(char input[4]) {
  int cnt = 0;
  if (input[0] == 'b') cnt++;
  if (input[1] == 'a') cnt++;
  if (input[2] == 'd') cnt++;
  if (input[3] == '!') cnt++;
  if (cnt >= 3) abort();
}
