/* One run of the program.
 *
 * Knows: how each kind of program is called, in this process or in one of its own; signals. Never: whether a run
 * brought something new, but for `fz_is_new_end`, which queue.h gives us. */

__attribute__((weak)) int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
__attribute__((weak)) int __real_main(int argc, char **argv, char **envp);

/* How our processes end, where the program does not end them. */
enum { AGAIN = 100, LATE = 101 };

extern char **environ;

/* The counters of the last run, all edges; where each run has a process of its own they are copied here. */
static u8 *fz_counts;
static volatile int fz_inside; /* the program runs in this process */
static int fz_is_own;          /* this process is there for one run */
static jmp_buf fz_back;
static int fz_input_file = -1; /* standard input or the file argument */
static char fz_input_path[64];
/* The input lies at the end of this room, before a page that cannot be read. */
static u8 *fz_room_end;
static volatile pid_t fz_child;
static int fz_last_signal;    /* of the last run in a process of its own */
static int fz_is_given;       /* the input that runs was given to us: its end is reported whatever it covers */
static volatile int fz_is_ending; /* a signal is being handled */
static u64 fz_started; /* the run that the last tick has seen */

static int fz_is_new_end(int late, u64 place);
static void fz_keep_at_exit(void);

static void fz_gather(void) {
  u32 at = 0;
  if (fz_n_regions && fz_counts == fz_regions[0].start) return;
  for (u32 i = 0; i < fz_n_regions; i++) {
    memcpy(fz_counts + at, fz_regions[i].start, fz_regions[i].size);
    at += fz_regions[i].size;
  }
}

static void fz_clear(void) {
  for (u32 i = 0; i < fz_n_regions; i++) memset(fz_regions[i].start, 0, fz_regions[i].size);
}

static void fz_leave(int code) {
  if (!fz_inside || fz_is_stray) _exit(code);
  if (!fz_is_own) longjmp(fz_back, 1);
  fz_gather();
  _exit(code);
}

/* The program has called exit: a run ends, the worker is replaced. */
static void fz_at_exit(void) {
  if (!fz_inside || fz_is_stray) return;
  fz_gather();
  fz_inside = 0;
  if (!fz_is_own) fz_board->exits++;
  if (!fz_is_own) fz_keep_at_exit();
}
void __real__exit(int code) __attribute__((noreturn));
void __wrap__exit(int code) {
  if (fz_inside) fz_at_exit();
  __real__exit(code);
}
void __wrap__Exit(int code) { __wrap__exit(code); }

static void fz_on_crash(int signal, siginfo_t *info, void *context) {
  (void)info;
  /* Also between two runs: a thread that the program has left, or memory that it has damaged. What a child of the
   * program dies of is for the program to see. */
  if (!fz_is_ending && !fz_is_stray) {
    fz_is_ending = 1;
    if (fz_inside) fz_gather();
    fz_inside = 0;
    u64 place = 0;
#ifdef __x86_64__
    place = (u64)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    place = ((ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
#endif
    /* The place of abort() is the same for all. */
    if (!fz_is_own) {
      fz_board->crash_is_new = (u64)(fz_is_new_end(0, signal == SIGABRT ? 0 : place) | fz_is_given);
      fz_board->handled = 1;
    }
  }
  sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  raise(signal);
}

/* Half of the time of a run has passed. */
static void fz_on_tick(int signal) {
  (void)signal;
  if (!fz_board->running || fz_started != fz_board->runs) {
    fz_started = fz_board->running ? fz_board->runs : 0;
    return;
  }
  if (fz_child) {
    fz_board->late = 1;
    kill(-fz_child, SIGKILL);
    kill(fz_child, SIGKILL);
  } else if (fz_inside) {
    fz_inside = 0;
    fz_gather();
    fz_board->crash_is_new = (u64)(fz_is_new_end(1, 0) | fz_is_given);
    fz_board->handled = 1;
    __real__exit(LATE);
  }
}

static void fz_catch(int own) {
  static char stack[1 << 16];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  struct sigaction crash = {.sa_sigaction = fz_on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  /* Those of the second line only somebody sends: the program to itself, for its session is its own. */
  int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
                   SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &crash, NULL);
  if (own) return;
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = fz_on_tick, .sa_flags = SA_RESTART | SA_ONSTACK}, NULL);
  struct itimerval half = {.it_interval = {.tv_sec = fz_asked.timeout / 2000, .tv_usec = fz_asked.timeout % 2000 * 500}};
  half.it_value = half.it_interval;
  setitimer(ITIMER_REAL, &half, NULL);
}

/* What the worker has before a run, with what a run may take. */
static void fz_limit_memory(u64 bytes) {
  static unsigned long pages;
  if (!pages) {
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu", &pages) != 1) pages = 0;
    if (file) fclose(file);
  }
  struct rlimit it = {.rlim_cur = pages * 4096 + bytes, .rlim_max = RLIM_INFINITY};
  if (pages && bytes) setrlimit(RLIMIT_AS, &it);
}

static void fz_open_room(void) {
  size_t size = MOST_INPUT + 4096;
  u8 *room = mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) _exit(120);
  mprotect(room + size, 4096, PROT_NONE);
  fz_room_end = room + size;
  if (fz_asked.kind == STDIN || fz_asked.kind == FILE_ARGUMENT) {
    fz_input_file = memfd_create("effigy-input", fz_asked.kind == STDIN ? MFD_CLOEXEC : 0);
    if (fz_input_file < 0) _exit(120);
    snprintf(fz_input_path, sizeof fz_input_path, "/proc/self/fd/%d", fz_input_file);
  }
}

/* Calls the program. */
static void fz_call(const u8 *data, u32 size) {
  char *arguments[] = {"program", fz_input_path, NULL};
  fz_bytes = data;
  fz_n_bytes = size;
  fz_taken = 0;
  errno = 0; /* neither what we have called nor an earlier run is the program's */
  if (fz_asked.kind == TARGET) {
    /* Aligned as malloc does it, so at most 15 bytes beyond the input can be read unnoticed. */
    u8 *to = fz_room_end - ((size + 15) & ~15u);
    memcpy(to, data, size);
    LLVMFuzzerTestOneInput(to, size);
    return;
  }
  if (fz_input_file >= 0) {
    if (ftruncate(fz_input_file, 0) || pwrite(fz_input_file, data, size, 0) != (ssize_t)size) _exit(120);
    lseek(fz_input_file, 0, SEEK_SET);
    if (fz_asked.kind == STDIN) dup2(fz_input_file, 0);
  }
  arguments[1] = fz_asked.kind == FILE_ARGUMENT ? fz_input_path : NULL;
  int code = __real_main(fz_asked.kind == FILE_ARGUMENT ? 2 : 1, arguments, environ);
  if (fz_is_own) {
    /* As a program ends: what it wrote is flushed, what it registered is called. */
    exit(code);
  }
}

/* What became of a run. */
enum ended { WENT, CRASHED, TOO_LATE };

static enum ended fz_run_apart(const u8 *data, u32 size) {
  fz_board->late = 0;
  fz_board->running = 1;
  memset(fz_counts, 0, fz_edges);
  pid_t child = fz_fork();
  if (child < 0) {
    usleep(10000);
    fz_board->running = 0;
    return WENT;
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    fz_is_own = 1;
    fz_child = 0;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    signal(SIGALRM, SIG_DFL);
    fz_limit_memory(fz_asked.memory);
    fz_clear();
    fz_inside = 1;
    fz_call(data, size);
    fz_at_exit();
    __real__exit(0);
  }
  fz_child = child;
  int status = 0;
  while (fz_wait_for_session(child, &status, 0) < 0 && errno == EINTR) {}
  fz_child = 0;
  if (fz_forks->count) fz_end_children();
  fz_board->running = 0;
  if (fz_board->late) return TOO_LATE;
  fz_last_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return fz_last_signal ? CRASHED : WENT;
}

/* Runs the program on an input; the counters are in `fz_counts`. A crash in this process does not come back. */
static enum ended fz_run(const u8 *data, u32 size) {
  fz_board->runs++;
  fz_board->length = size;
  fz_forks->count = 0;
  memcpy(fz_board->input, data, size);
  if (fz_logging) fz_begin_log();
  if (fz_asked.isolate) return fz_run_apart(data, size);
  fz_clear();
  fz_board->running = 1;
  fz_inside = 1;
  if (fz_asked.kind == TARGET || setjmp(fz_back) == 0) fz_call(data, size);
  if (__builtin_expect(fz_is_stray, 0)) __real__exit(0);
  fz_inside = 0;
  if (__builtin_expect(fz_forks->count != 0, 0)) fz_end_children();
  fz_board->running = 0;
  fz_gather();
  return WENT;
}
