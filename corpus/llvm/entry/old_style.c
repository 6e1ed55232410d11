/* A head without types, and a parameter that is unsigned. */
//@ entry: old

int old(a, text)
unsigned a;
char *text;
{
  if (a > 4000000000u && text[0] == 1) return 1 / (int)(a - 4000000001u); //~ bug: division-by-zero
  return 0;
}
