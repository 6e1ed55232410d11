/* Numbers behind a pointer to pointers are numbers, not bytes. */
//@ entry: diagonal
//@ flags: --buffer 8

int diagonal(int **rows) {
  if (rows[0][1] > 41) __builtin_trap(); //~ bug: abort
  return rows[0][0];
}
