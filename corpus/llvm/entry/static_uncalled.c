/* A static function that nothing calls; it has the name of its parameter, and its file has a main. */
//@ entry: count

static int count(unsigned char count) {
  return 10 / (200 - count); //~ bug: division-by-zero
}

int main(void) { return 0; }
