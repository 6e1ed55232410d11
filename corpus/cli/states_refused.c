int shared;

int of_bits(int x) {
  return x & 3;
}

int without_sign(unsigned x) {
  return x > 3u;
}

int in_memory(int x) {
  shared = x;
  return shared;
}

int divided(int x, int y) {
  if (!(x > y) && x / y == 3)
    return x % y;
  return -2147483648 - 1;
}
