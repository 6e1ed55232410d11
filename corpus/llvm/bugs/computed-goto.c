//@ replay: a native run goes on where it leads
// A jump to what is no label of the function.
int other(void *to) {
  if (!to) return 1;
  goto *to; //~ bug: unreachable-reached
here:
  return to == &&here;
}
int main(void) {
  return other(0) + other((char *)main + 1);
}
