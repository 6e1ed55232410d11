int g;
void f(int x) {
  if (x > 3)
    g = 1;
  g = g + 1;
}
