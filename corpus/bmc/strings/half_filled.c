// A shape has a width, and a height unless it is a square.
// The area of a square asks for its height.
//@ verdict: bug
//@ input: 1
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
enum kind { SQUARE, RECTANGLE };
struct shape { enum kind kind; int width, height; };
static void fill(struct shape *it) {
  it->kind = __VERIFIER_nondet_bool() ? SQUARE : RECTANGLE;
  it->width = __VERIFIER_nondet_uchar();
  if (it->kind == RECTANGLE) it->height = __VERIFIER_nondet_uchar();
}
int main(void) {
  struct shape it;
  fill(&it);
  int height = it.height;
  if (height > 200) //~ bug: uninitialised-value
    return 1;
  return 0;
}
