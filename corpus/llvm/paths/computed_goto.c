//@ paths: 7
// GNU's labels as values: an interpreter of three opcodes, a table of labels, distances of labels, a label of an input.
#include <effigy.h>
int main(void) {
  static void *const table[] = {&&halt, &&add, &&twice};
  static const long apart[] = {&&halt - &&halt, &&twice - &&halt};
  unsigned char program[2];
  int value = 1, at = 0;
  effigy_symbolic(program, sizeof program, "program");
  effigy_assume(program[0] < 3);
  effigy_assume(program[1] < 3);
  if (apart[0] != 0 || apart[1] == 0) return 99;
  goto *table[program[at++]];
add:
  value += 3;
  if (at == 2) goto halt;
  goto *table[program[at++]];
twice:
  value *= 2;
  if (at == 2) return value + 50;
  goto *table[program[at++]];
halt:
  return value;
}
