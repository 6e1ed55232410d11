/* Every way to end that a supervisor must outlive, each behind two bytes. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink;

__attribute__((noinline)) static int deep(int n) {
  volatile char room[4096];
  room[n % 4096] = (char)n;
  return deep(n + 1) + room[n % 4096];
}

__attribute__((noinline)) static int divide(int a, int b) { return a / b; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4 || data[0] != '!') return 0;
  switch (data[1]) {
    case 'h':
      for (;;) sink++;
    case 'm':
      for (;;) {
        char *block = malloc(1 << 20);
        if (!block) break;
        memset(block, 1, 1 << 20);
        sink += block[sink & 7];
      }
      break;
    case 'n': sink = *(volatile int *)(size_t)(data[2] & 8); break;
    case 'o': {
      char *block = malloc(size);
      if (!block) break;
      memset(block, 7, size);
      /* One byte beyond the block: nothing that a run without sanitizers would notice. */
      sink = block[data[2] == 'x' ? size : 0];
      free(block);
      break;
    }
    case 'd': sink = deep(data[2]); break;
    case 'z': sink = divide(7, data[2] - 'z'); break;
    case 'y':
      if (data[2] == 'y') sink = divide(7, data[3] - 'z');
      break;
    case 'e': exit(3);
  }
  return 0;
}
