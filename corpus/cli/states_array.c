int look(int i) {
  int a[4] = {1, 2, 3, 4};
  if (i < 0 || i > 3)
    return -1;
  a[i] = i + 10;
  struct { int key; int *at; } e = {i, &a[1]};
  int r = a[2];
  return r + e.key;
}
