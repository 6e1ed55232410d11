// At -O2 loops over arrays become vectors, of which the lanes are added up at the end.
//@ flags: -- -O2
#include <effigy.h>
enum { N = 64 };
static int all[N];
static __attribute__((noinline)) int sum(const int *p) { unsigned r = 0; for (int i = 0; i < N; i++) r += (unsigned)p[i]; return (int)r; }
static __attribute__((noinline)) int parity(const int *p) { int r = 0; for (int i = 0; i < N; i++) r ^= p[i]; return r; }
static __attribute__((noinline)) int both(const int *p) { int r = -1; for (int i = 0; i < N; i++) r &= p[i] | 64; return r; }
static __attribute__((noinline)) int least(const int *p) { int r = p[0]; for (int i = 0; i < N; i++) r = p[i] < r ? p[i] : r; return r; }
static __attribute__((noinline)) unsigned most(const int *p) { unsigned r = 0; for (int i = 0; i < N; i++) r = (unsigned)p[i] > r ? (unsigned)p[i] : r; return r; }
static __attribute__((noinline)) int any(const int *p) { int r = 0; for (int i = 0; i < N; i++) r |= p[i] == 77; return r; }
int main(void) {
  int x = effigy_int("x");
  for (int i = 0; i < N; i++) all[i] = i * 3;
  all[17] = x;
  if (sum(all) == 5) return 1;
  if (parity(all) == 1000) return 2;
  if (both(all) == 0) return 3;
  if (least(all) == -123) return 4;
  if (most(all) == 0x80000000u) return 5;
  return any(all) ? 6 : 0;
}
