/* The native half of `effigy fuzz`, as one text of C: base.h, watch.h, marks.h, blocks.h,
 * processes.h, run.h, queue.h, havoc.h, solve.h, main.h.
 *
 * Knows: types, limits, and the board, a file that the supervisor reads while we write. Never: what the program means. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

enum {
  MOST_INPUT = 1 << 20,   /* bytes of an input; --max-len is at most this */
  MOST_ENTRIES = 1 << 16, /* inputs in the queue */
  MOST_COMPARES = 1 << 14,
  MOST_OCCURRENCES = 32, /* of one compare in one run */
  OPERAND = 32,          /* bytes of a compare that are looked at */
  MOST_TOKENS = 512,
  STAGES = 10,
  MOST_ASSUMPTIONS = 1024, /* that are watched; the driver and the supervisor have the same bound */
};

/* Where an input comes from; the supervisor has the same list. */
enum stage { GIVEN, HAVOC, SPLICE, COPIED, COMPUTED, DESCENT, SYNCED, SOLVED };

/* How a program takes its input; the supervisor has the same list. */
enum kind { TARGET, STDIN, FILE_ARGUMENT, MARKS, ENTRY };

/* What the supervisor sees of us. All words of 64 bits; the order is known to `board.rs`. */
struct board {
  volatile u64 magic, runs, edges, edges_seen, classes_seen, entries, crashes, hangs, memory, workers, waiting, running,
      solve_runs, unstable, late;
  volatile u64 finds[STAGES];
  volatile u64 given; /* inputs of the supervisor that were run, over all workers */
  volatile u64 exits; /* runs that ended because the program called exit */
  volatile u8 assumptions[MOST_ASSUMPTIONS]; /* 1: an input came to it, 2: it held */
  /* For the keeper: the input that runs, and whether its end would be a new one. */
  volatile u64 crash_is_new, handled;
  volatile u64 length;
  u8 input[MOST_INPUT];
};

static struct board *fz_board;

/* What the supervisor asks for, by the environment. */
static struct {
  enum kind kind;
  int isolate;      /* a process for each run */
  u32 most;         /* bytes of an input */
  u32 timeout;      /* milliseconds of a run */
  u64 memory;       /* bytes of a worker */
  u64 seed;
} fz_asked;

static u64 fz_environment(const char *name, u64 otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Memory that all our processes share, and that is there only where it is touched. */
static void *fz_shared(size_t size) {
  void *at = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) _exit(120);
  return at;
}

static u64 fz_now(void) {
  struct timespec it;
  clock_gettime(CLOCK_MONOTONIC, &it);
  return (u64)it.tv_sec * 1000000000u + (u64)it.tv_nsec;
}

/* xorshift128+: fast, and the same for the same seed. */
static u64 fz_random_state[2];

static u64 fz_random(void) {
  u64 a = fz_random_state[0], b = fz_random_state[1];
  fz_random_state[0] = b;
  a ^= a << 23;
  a ^= a >> 18;
  a ^= b ^ (b >> 5);
  fz_random_state[1] = a;
  return a + b;
}

static void fz_seed(u64 seed) {
  fz_random_state[0] = seed * 0x9e3779b97f4a7c15u + 1;
  fz_random_state[1] = (seed ^ 0xbf58476d1ce4e5b9u) | 1;
  for (int i = 0; i < 8; i++) fz_random();
}

/* Below n, which is not zero. */
static u32 fz_below(u32 n) { return (u32)(((fz_random() >> 32) * (u64)n) >> 32); }

static u32 fz_least(u32 a, u32 b) { return a < b ? a : b; }
static u32 fz_log2(u64 it) { return it ? 63 - (u32)__builtin_clzll(it) : 0; }
