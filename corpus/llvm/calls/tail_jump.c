//@ flags: -- -O2
//@ paths: 1
// Calls that are jumps in the optimised program: no stack grows.
unsigned even(unsigned n), odd(unsigned n);
int seen;
__attribute__((noinline)) unsigned even(unsigned n) {
  seen ^= (int)n;
  return n ? odd(n - 1) : 1;
}
__attribute__((noinline)) unsigned odd(unsigned n) {
  seen ^= 3;
  return n ? even(n - 1) : 0;
}
int main(void) { return (int)even(550000); }
