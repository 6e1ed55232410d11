// Constructs of C that become different instructions and constants.
#ifndef FREESTANDING
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif
#include <stdarg.h>
#include <stdatomic.h>

struct node {
  struct node *next;
  int value;
  char name[13];
  union { double number; long bits; } u;
  unsigned three : 3, seven : 7;
};
struct big { long a[10]; };

static _Thread_local int per_thread = 3;
_Atomic int shared;
int plain;
extern int maybe(void) __attribute__((weak));
const char *messages[] = {"a\"b\\c", "d\n", 0};

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int (*table[])(const void *, const void *) = {compare, 0};

int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  while (count--) total += va_arg(list, int);
  va_end(list);
  return total;
}

__int128 wide(__int128 a, __int128 b) { return a * b / (b | 1); }
long double extended(long double x) { return x * 1.1L + __builtin_inff(); }
double _Complex squared(double _Complex z) { return z * z; }

typedef float four __attribute__((vector_size(16)));
four shuffled(four a, four b) { return __builtin_shufflevector(a, b, 0, 5, 2, 7) * a; }

int atomics(void) {
  int expected = 3;
  atomic_compare_exchange_strong(&shared, &expected, 4);
  atomic_thread_fence(memory_order_seq_cst);
  return atomic_fetch_add(&shared, 2) + __atomic_fetch_nand(&plain, 1, __ATOMIC_RELAXED);
}

int choose(unsigned x) {
  switch (x) {
    case 1: return 5;
    case 2: return 9;
    case 77: return 1;
    case 1000: return 4;
    default: return 0;
  }
}

int computed(int i) {
  static void *labels[] = {&&one, &&two};
  goto *labels[i];
one: return 1;
two: return 2;
}

int by_assembly(int x) {
  __asm__ goto("" : : "r"(x) : : other);
  return 1;
other:
  return 0;
}

long by_value(struct big b) { return b.a[3]; }
struct big returned(void) { struct big b = {{1, 2}}; return b; }
void scaled(float *a, const float *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i] > 0 ? b[i] : 1; }

int main(int argc, char **argv) {
  struct node n = {0};
  n.three = argc;
  n.seven = 5;
  int numbers[] = {3, 1, 2};
  int variable[argc + 1];
  variable[argc] = 2;
  if (maybe) maybe();
#ifndef FREESTANDING
  strcpy(n.name, "hi");
  qsort(numbers, 3, sizeof *numbers, compare);
  for (int i = 0; i < argc; i++) printf("%d %s %f\n", numbers[i % 3], argv[i], n.u.number);
#endif
  struct big b = returned();
  return sum(3, numbers[0], numbers[1], numbers[2]) + by_value(b) + choose(argc) + computed(0) + per_thread + variable[argc];
}
