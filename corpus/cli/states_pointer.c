struct point {
  int x;
  int y;
};

int ints(int *a) {
  int first = a[0];
  a[1] = first;
  return a[1];
}

int structure(struct point *p) {
  if (p->x == 7)
    p->y = 8;
  return p->y;
}

int indirect(void) {
  int number = 3;
  int *inner = &number;
  int **outer = &inner;
  **outer = 4;
  return number;
}

int text(const char *s) {
  if (s[0] == 'b')
    return 1;
  return 0;
}

static int sum(const int *numbers, int count) {
  int res = 0;
  for (int i = 0; i < count; i++)
    res += numbers[i];
  return res;
}

int main(void) {
  int numbers[3] = {1, 2, 3};
  return sum(numbers, 3);
}
