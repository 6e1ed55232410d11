/* The environment of a program of corpus/bmc, natively: its main is compiled as `program_main`.
 *
 *   PROGRAM input 5 -1 7          one run with these inputs, then zeros
 *   PROGRAM random FIRST COUNT    runs with random inputs, each in a process of its own: prints the inputs of the first
 *                                 run that does not end well, and ends with its status
 *   PROGRAM palette FIRST COUNT   as random, with the short sequences of some interesting numbers, in their order
 *
 * Statuses: 0 ended well, 77 an assumption does not hold, 78 too many inputs, too long or too deep; others by sanitizers. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 300, OUTSIDE = 77, TOO_LONG = 78 };
static const long palette[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 255, -1, 2147483647, -2147483647 - 1, 100};
enum { COLOURS = sizeof palette / sizeof *palette };

static enum { GIVEN, RANDOM, PALETTE } mode;
static char **given;
static unsigned long state;
/* What a run was given, seen by the parent however the run ends. */
static struct { int used; long values[LIMIT]; } *inputs;

static unsigned long draw(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state * 0x2545f4914f6cdd1dul >> 11;
}

static long some(void) {
  switch (draw() % 8) {
    case 0: return (long)(draw() << 32 ^ draw());
    case 1: return palette[draw() % COLOURS];
    case 2: return (long)(draw() % 64) - 32;
    case 3: return (long)(int)draw();
    case 4: return (long)(draw() % 4096);
    default: return (long)(draw() % (2 + state % 9));
  }
}

static long *next(void) {
  if (inputs->used == LIMIT) _exit(TOO_LONG);
  long value = 0;
  if (mode == GIVEN && *given != NULL) value = strtol(*given++, NULL, 10);
  if (mode == RANDOM) value = some();
  if (mode == PALETTE) value = palette[state % COLOURS], state /= COLOURS;
  inputs->values[inputs->used] = value;
  return &inputs->values[inputs->used++];
}

/* What is noted is what the program gets. */
#define NONDET(TYPE, NAME) \
  TYPE __VERIFIER_nondet_##NAME(void) { \
    long *it = next(); \
    *it = (long)(TYPE)*it; \
    return (TYPE)*it; \
  }
NONDET(int, int) NONDET(unsigned, uint) NONDET(char, char) NONDET(unsigned char, uchar) NONDET(short, short)
NONDET(unsigned short, ushort) NONDET(long, long) NONDET(unsigned long, ulong)
_Bool __VERIFIER_nondet_bool(void) {
  long *it = next();
  return *it &= 1;
}
void __VERIFIER_assume(int holds) { if (!holds) _exit(OUTSIDE); }

int program_main(void);

static void late(int signal) { (void)signal; _exit(TOO_LONG); }

int main(int count, char **arguments) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(SIGALRM, late);
  inputs = mmap(NULL, sizeof *inputs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (count > 1 && strcmp(arguments[1], "input") == 0) {
    given = arguments + 2;
    alarm(20);
    exit(program_main() & 0);
  }
  if (count < 4) return 2;
  mode = strcmp(arguments[1], "random") == 0 ? RANDOM : PALETTE;
  unsigned long first = strtoul(arguments[2], NULL, 10), end = first + strtoul(arguments[3], NULL, 10);
  unsigned well = 0, outside = 0, unfinished = 0;
  for (unsigned long run = first; run < end; ++run) {
    inputs->used = 0;
    pid_t child = fork();
    if (child == 0) {
      state = mode == RANDOM ? (run + 1) * 0x9e3779b97f4a7c15ul : run;
      alarm(2);
      (void)!freopen("/dev/null", "w", stderr);
      exit(program_main() & 0);
    }
    int status;
    waitpid(child, &status, 0);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == 0)
      ++well;
    else if (code == OUTSIDE)
      ++outside;
    else if (code == TOO_LONG)
      ++unfinished;
    else {
      for (int i = 0; i < inputs->used; ++i) printf("%s%ld", i ? " " : "", inputs->values[i]);
      printf("\n");
      return code;
    }
  }
  printf("well %u outside %u unfinished %u\n", well, outside, unfinished);
  return 0;
}
