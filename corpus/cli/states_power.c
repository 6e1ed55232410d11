int power(int x) {
  int z = 1;
  while (x > 0) {
    x = x - 1;
    z = 2 * z;
  }
  return z;
}
