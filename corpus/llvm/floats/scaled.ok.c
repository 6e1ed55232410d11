// By a power of two nothing is lost.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  float price;
  klee_make_symbolic(&price, sizeof price, "price");
  klee_assume((price > 1.0f) & (price < 100.0f));
  float scaled = price * 8;
  if (scaled / 8 != price) abort();
  return 0;
}
