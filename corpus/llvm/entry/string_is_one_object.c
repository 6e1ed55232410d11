/* Without a look at it, a text is one path, whatever its length. */
//@ entry: begins_with_a
//@ flags: --string text:30
//@ paths: 2

int begins_with_a(char *text) {
  if (text[0] == 97) return 1;
  return 0;
}
