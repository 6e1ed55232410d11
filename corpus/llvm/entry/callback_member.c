/* A function in a structure is null, and so is what only other files know. */
//@ entry: call

struct hidden;

struct hooks {
  int (*run)(int);
  struct hidden *state;
  int limit;
};

int call(const struct hooks *hooks) {
  if (hooks->run || hooks->state) return 1 / 0;
  return hooks->limit > 3;
}
