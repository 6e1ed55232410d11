// The towers of Hanoi: no disc ever lies on a smaller one, and 2^n - 1 moves are made.
//@ verdict: correct
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int height[3], peg[3][5], moves;
static void move(int from, int to) {
  int disc = peg[from][--height[from]];
  assert(height[to] == 0 || peg[to][height[to] - 1] > disc);
  peg[to][height[to]++] = disc;
  ++moves;
}
static void hanoi(int n, int from, int to) {
  if (n == 0) return;
  hanoi(n - 1, from, 3 - from - to);
  move(from, to);
  hanoi(n - 1, 3 - from - to, to);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 4);
  for (int i = 0; i < n; ++i) peg[0][height[0]++] = n - i;
  hanoi(n, 0, 2);
  assert(moves == (1 << n) - 1);
  assert(height[2] == n);
  return 0;
}
