int look(int i) {
  int a[4] = {1, 2, 3, 4};
  if (i < 0 || i > 3)
    return -1;
  a[i] = a[i] + 10;
  if (i < 2) a[0] = 3;
  int r = a[2];
  return r;
}
