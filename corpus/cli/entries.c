/* Functions that are explored one after the other: `--entry`, `--entries`. */
int largest(int a, int b) { return a > b ? a : b; }

int last(const int *numbers, unsigned count) { return numbers[count - 1]; }

int ratio(int a, int b) { return a / b; }

int sign(int n) { return n < 0 ? -1 : n > 0; }
