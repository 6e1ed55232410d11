// What is multiplied and divided is not what it was.
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  float price;
  klee_make_symbolic(&price, sizeof price, "price");
  klee_assume((price > 1.0f) & (price < 100.0f));
  float scaled = price * 10;
  if (scaled / 10 != price) abort(); //~ bug: abort
  return 0;
}
