//@ flags: -- -O2
//@ paths: 0
// The optimiser marks the call as a tail call, though what follows it keeps its caller on the stack.
__attribute__((noinline)) static unsigned depth(unsigned n) {
  return n ? 3 * depth(n - 1) + 1 : 0; //~ bug: stack-overflow
}
int main(void) { return depth(550000) == 0; }
