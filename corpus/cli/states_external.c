extern int input(void);
int foo(int x, int y) {
  if (x > y)
    y = x;
  if (y - x > 7)
    x = input();
  return x + y;
}
void twice(int x) {
  if (x > 0 || x < -9)
    x = x * 2;
}
