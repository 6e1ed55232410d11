/* Fixed point numbers, 16 bits behind the point: wide products that are shifted back. */
#include <effigy.h>
#include <stdint.h>

typedef int32_t fixed;

static fixed times(fixed a, fixed b) { return (fixed)(((int64_t)a * b) >> 16); }

int main(void) {
  fixed price = effigy_int("price"), rate = effigy_int("rate");
  effigy_assume(price > 0 && price < (200 << 16));
  effigy_assume(rate > 0 && rate <= (1 << 16));
  fixed tax = times(price, rate);
  effigy_assert(tax <= price);
  fixed all = price + tax;
  if (all == (120 << 16)) return 1;
  fixed third = times(price, 1 << 14);
  if (third > tax && third - tax == (3 << 16)) return 2;
  int64_t wide = (int64_t)price * rate;
  if (wide * 3 < wide) return 4;
  return 0;
}
