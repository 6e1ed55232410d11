//@ replay: natively each array lies where the one before it lay
// An array of variable length ends with its block; what alloca returns lives on.
#include <alloca.h>
#include <effigy.h>
int main(void) {
  int *kept = 0, k = effigy_int("k"), sum = 0;
  effigy_assume(1 <= k && k < 4);
  for (int i = 0; i < 3; i++) {
    int v[k];
    v[0] = i;
    if (k == 2)
      kept = v;
    sum += v[0];
  }
  char *stays = alloca(4);
  stays[3] = 1;
  if (kept)
    return *kept; //~ bug: use-after-scope
  return sum + stays[3];
}
