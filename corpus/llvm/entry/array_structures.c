/* Elements that hold pointers are made up one by one. */
//@ entry: longest
//@ flags: --array all:count --buffer 32
//@ paths: 7

struct item {
  const char *name;
  int size;
};

int longest(const struct item *all, int count) {
  int at = -1;
  for (int i = 0; i < count; i++)
    if (all[i].name[0] == 'x') at = i;
  return at < 0 || all[at].size != 12 ? at : 100 / (12 - all[at].size); //~ bug: division-by-zero
}
