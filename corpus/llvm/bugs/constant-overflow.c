// clang computes the product, which overflows, while it compiles, and only tells of it.
int main(void) {
  int sum = (1073741824 * 2) - 1; //~ bug: signed-overflow
  return sum == 0;
}
