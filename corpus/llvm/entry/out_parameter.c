/* A pointer to a pointer, a pointer to an array, a pointer to anything. */
//@ entry: fill

int fill(char **end, int (*grid)[3], void *any, unsigned char last) {
  *end = (char *)any + last;
  (*grid)[2] = 7;
  return (*grid)[last % 4]; //~ bug: out-of-bounds-read
}
