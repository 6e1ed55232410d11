/* Its first runs take long, as on a machine that has other work: what they took is not what a run takes. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int *runs;

/* All processes count in one place. */
__attribute__((constructor)) static void share(void) {
  runs = mmap(NULL, sizeof *runs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
  char text[16] = {0};
  if (runs != MAP_FAILED && ++*runs <= 4) usleep(150000);
  if (fread(text, 1, sizeof text - 1, stdin) < 5) return 1;
  assert(strcmp(text, "magic") != 0);
  return 0;
}
