// The largest of a list of arguments is remembered by its address.
//@ verdict: correct
extern int __VERIFIER_nondet_int(void);
static int *most;
static void visit(int depth, int *slots) {
  slots[depth] = __VERIFIER_nondet_int();
  int *mine = &slots[depth];
  if (most == 0 || *mine > *most) most = mine;
  if (depth < 2) visit(depth + 1, slots);
}
int main(void) {
  int slots[3] = {0};
  visit(0, slots);
  if (*most > 100)
    return 1;
  return 0;
}
