int main(void) {
  int a, b;
  if (&a < &b)
    return 2;
  return 3;
}
