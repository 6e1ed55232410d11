//@ paths: 2
#include <effigy.h>
struct big { long a[5]; int n; };
static int sum(struct big b) { b.n++; long s = 0; for (int i = 0; i < 5; i++) s += b.a[i]; return (int)s + b.n; }
static struct big make(int n) { struct big b = {{1, 2, 3, 4, 5}, n}; return b; }
int main(void) {
  int n = effigy_int("n");
  effigy_assume(n >= 0 && n < 50);
  struct big b = make(n);
  int r = sum(b);
  return r > 40 ? b.n : r;
}
