/* Structures by value, in registers and in memory, and by pointer. */
//@ entry: crosses

struct small {
  short x, y;
};

struct large {
  int a[3];
  long b;
  _Bool set;
};

static int crosses(struct small s, struct large l, struct large *to) {
  if (!l.set || to->a[2] != l.a[2]) return 0;
  if (s.x == 3 && l.b == 70000L) return 100 / (s.y - 9); //~ bug: division-by-zero
  return 1;
}

int of_nothing(void) {
  struct small s = {0, 0};
  struct large l = {{0}, 0, 0};
  return crosses(s, l, &l);
}
