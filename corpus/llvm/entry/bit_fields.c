/* Bit-fields, a union, a nameless union, a structure without a name. */
//@ entry: decode

typedef struct {
  unsigned kind : 3;
  unsigned more : 5;
  _Bool on;
  union {
    int number;
    unsigned char bytes[4];
  };
} head;

int decode(head by_value, const head *by_pointer) {
  if (by_value.kind == 5 && by_pointer->on && by_pointer->number == 77)
    return 1 / ((int)by_value.more - 3); //~ bug: division-by-zero
  return by_value.on;
}
