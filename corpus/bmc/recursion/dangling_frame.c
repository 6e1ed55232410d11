// The largest of a list of arguments is remembered by its address.
// The address of a callee's variable outlives the call.
//@ verdict: bug
//@ input: 0
extern int __VERIFIER_nondet_int(void);
static int *most;
static void visit(int depth, int *slots) {
  int value = __VERIFIER_nondet_int();
  int *mine = &value;
  if (most == 0 || *mine > *most) most = mine;
  if (depth < 2) visit(depth + 1, slots);
}
int main(void) {
  int slots[3] = {0};
  visit(0, slots);
  if (*most > 100) //~ bug: use-after-scope
    return 1;
  return 0;
}
