/* A parameter that may be null. */
//@ entry: first
//@ flags: --null text
//@ paths: 1

int first(const char *text) {
  return text[0]; //~ bug: null-dereference
}
