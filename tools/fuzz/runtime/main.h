/* The processes: the keeper, which never runs an input, and its worker, which does nothing else.
 *
 * The keeper reads inputs from the supervisor (standard input) and tells it of what was found (standard output), in
 * records of a head and bytes. A worker that dies is replaced; all that it knew is shared. With EFFIGY_FUZZ_ONE a single
 * input is run in this process, and nothing else happens. */

enum record { READY = 1, FOUND, CRASHED_ON, LATE_ON, MEMORY_ON, RAN_ALL };

struct head {
  u32 kind, length, stage, parent, detail, more;
};

static int fz_in = 0, fz_out = 1;
static pid_t fz_worker;

/* Inputs that wait for the worker. */
enum { WAITING = 64 };
static struct {
  volatile u64 put, taken;
  struct {
    u32 length, stage;
    u8 bytes[MOST_INPUT];
  } at[WAITING];
} *fz_waiting;

/* Standard streams of the program lead nowhere; before anything of it runs. */
__attribute__((constructor(101))) static void fz_take_streams(void) {
  /* A session of its own: what the terminal sends is for effigy, what the program sends to its group is for itself. */
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getenv("EFFIGY_FUZZ_STARTS")) _exit(STARTS);
  fz_watch_forks();
  fz_count_assumptions();
  if (fz_open_statement()) return;
  fz_in = fcntl(0, F_DUPFD_CLOEXEC, 200);
  fz_out = fcntl(1, F_DUPFD_CLOEXEC, 200);
  int nothing = open("/dev/null", O_RDWR);
  if (fz_in < 0 || fz_out < 0 || nothing < 0) _exit(120);
  dup2(nothing, 0);
  dup2(nothing, 1);
  dup2(nothing, 2);
  if (nothing > 2) close(nothing);
  /* A line that nobody reads costs no call of the system. */
  static char room[1 << 16];
  setvbuf(stderr, room, _IOFBF, sizeof room);
}

/* The keeper ends, and nothing of the program outlives it. The supervisor sends SIGHUP, the kernel does it where that is
 * no more. */
static void fz_end_all(int signal) {
  (void)signal;
  if (fz_worker > 0) kill(-fz_worker, SIGKILL), kill(fz_worker, SIGKILL);
  fz_end_children();
  _exit(0);
}

static void fz_tell(enum record kind, const u8 *data, u32 length, u32 stage, u32 parent, u32 detail, u32 more) {
  struct head head = {kind, length, stage, parent, detail, more};
  /* What a find has brought follows it. */
  size_t more_bytes = kind == FOUND ? 4 * (size_t)detail : 0;
  struct {
    const u8 *at;
    size_t left;
  } parts[] = {{(u8 *)&head, sizeof head}, {data, length + more_bytes}};
  for (int i = 0; i < 2; i++)
    while (parts[i].left) {
      ssize_t n = write(fz_out, parts[i].at, parts[i].left);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fz_end_all(0);
      parts[i].at += n;
      parts[i].left -= (size_t)n;
    }
}

/* Where a run has a process of its own, the worker sees how it ended; it tells the keeper, one end at a time. */
static struct {
  volatile u32 full;
  u32 kind, length, signal;
  u8 bytes[MOST_INPUT];
} *fz_end;

/* Ends of which the worker could say nothing, SIGKILL for one: so many are reported. */
enum { MOST_SILENT_ENDS = 100 };

static void fz_ended_badly(enum ended how, const u8 *data, u32 length) {
  if (how == TOO_LATE) fz_board->hangs++;
  else fz_board->crashes++;
  if (!(fz_is_new_end(how == TOO_LATE, (u64)fz_last_signal) | fz_is_given)) return;
  while (fz_end->full) usleep(1000);
  fz_end->kind = how == TOO_LATE ? LATE_ON : CRASHED_ON;
  fz_end->signal = (u32)fz_last_signal;
  fz_end->length = length;
  memcpy(fz_end->bytes, data, length);
  __sync_synchronize();
  fz_end->full = 1;
}

/* Resident pages that are only this process's. */
static u64 fz_memory_of(pid_t process) {
  char path[64];
  unsigned long all, resident, shared;
  snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128] = {0};
  ssize_t n = read(file, text, sizeof text - 1);
  close(file);
  if (n <= 0 || sscanf(text, "%lu %lu %lu", &all, &resident, &shared) != 3) return 0;
  return (resident - shared) * 4096;
}

static void fz_run_waiting(void) {
  for (;;) {
    /* All that was taken was run, by us or by who has died of it. */
    fz_board->given = fz_waiting->taken;
    if (fz_waiting->taken == fz_waiting->put) break;
    u32 at = fz_waiting->taken % WAITING, length = fz_waiting->at[at].length, stage = fz_waiting->at[at].stage;
    memcpy(fz_candidate, fz_waiting->at[at].bytes, length);
    /* Should it end the worker, it is not begun again. */
    fz_waiting->taken++;
    fz_try(fz_candidate, length, stage, NO_PARENT);
  }
  if (fz_board->entries == 0 && fz_board->waiting) {
    /* Nothing given has brought anything: there is no coverage. What is given is the queue all the same. */
    fz_add((const u8 *)"", 0, GIVEN, NO_PARENT, 0);
  }
}

static void fz_work_on(void) {
  fz_seed(fz_asked.seed + fz_board->workers * 7919 + fz_board->runs);
  fz_limit_memory(fz_asked.isolate ? 0 : fz_asked.memory + ((u64)256 << 20)); /* 0: of each run, later */
  fz_catch(0);
  fz_keep_what_was_left();
  u64 checked = fz_now();
  for (;;) {
    fz_run_waiting();
    if (fz_board->entries == 0) {
      usleep(1000);
      continue;
    }
    u32 entry = fz_next();
    fz_solve(entry);
    if (fz_queue->at[entry].is_fragile) fz_havoc_repaired(entry, 64);
    fz_havoc(entry);
    /* What the program does not give back is given back by our end. */
    if (fz_now() - checked > 50000000) {
      checked = fz_now();
      if (fz_memory_of(getpid()) > fz_asked.memory / 2) __real__exit(AGAIN);
    }
  }
}

static void fz_start_worker(void) {
  fz_board->workers++;
  fz_board->handled = fz_board->running = 0;
  fz_worker = fz_fork();
  if (fz_worker < 0) _exit(121);
  if (fz_worker) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  /* A signal that the program sends to its group is for itself. */
  setsid();
  /* What a run leaves behind becomes its child, and is killed before the next run. */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGHUP, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  fz_worker = 0;
  fz_work_on();
}

static void fz_worker_ended(int status) {
  u32 length = (u32)fz_board->length;
  if (length > MOST_INPUT) length = 0;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  static int silent;
  if (WIFSIGNALED(status)) {
    fz_board->crashes++;
    if (fz_board->handled ? fz_board->crash_is_new : silent++ < MOST_SILENT_ENDS)
      fz_tell(CRASHED_ON, fz_board->input, length, 0, 0, (u32)WTERMSIG(status), 0);
  } else if (code == LATE) {
    fz_board->hangs++;
    if (fz_board->crash_is_new) fz_tell(LATE_ON, fz_board->input, length, 0, 0, 0, 0);
  }
}

/* Reads what the supervisor has written; a record may come in pieces. */
static void fz_listen(void) {
  static struct head head;
  static u32 got;
  static u8 bytes[MOST_INPUT];
  for (;;) {
    if (fz_waiting->put - fz_waiting->taken >= WAITING) return;
    u8 *to = got < sizeof head ? (u8 *)&head + got : bytes + (got - sizeof head);
    size_t wanted = got < sizeof head ? sizeof head - got : head.length - (got - sizeof head);
    if (wanted) {
      ssize_t n = read(fz_in, to, wanted);
      if (n == 0) fz_end_all(0);
      if (n < 0) return;
      got += (u32)n;
    }
    if (got < sizeof head) continue;
    if (head.length > MOST_INPUT) _exit(122);
    if (got < sizeof head + head.length) continue;
    got = 0;
    if (head.kind == RAN_ALL) {
      fz_board->waiting = 1;
      continue;
    }
    u32 at = fz_waiting->put % WAITING;
    fz_waiting->at[at].length = fz_least(head.length, fz_asked.most);
    fz_waiting->at[at].stage = head.stage < STAGES ? head.stage : GIVEN;
    memcpy(fz_waiting->at[at].bytes, bytes, fz_waiting->at[at].length);
    __sync_synchronize();
    fz_waiting->put++;
  }
}

static void fz_keeper(void) {
  /* What a worker leaves behind becomes our child. */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigaction(SIGHUP, &(struct sigaction){.sa_handler = fz_end_all}, NULL);
  prctl(PR_SET_PDEATHSIG, SIGHUP);
  fcntl(fz_in, F_SETFL, fcntl(fz_in, F_GETFL) | O_NONBLOCK);
  fz_tell(READY, NULL, 0, 0, 0, fz_edges, 0);
  fz_start_worker();
  u64 told = 0, last_runs = 0, last_change = fz_now();
  int told_all = 0;
  for (;;) {
    poll(&(struct pollfd){.fd = fz_in, .events = fz_waiting->put - fz_waiting->taken < WAITING ? POLLIN : 0}, 1, 5);
    fz_listen();
    for (; told < fz_board->entries; told++) {
      struct entry *it = &fz_queue->at[told];
      fz_tell(FOUND, fz_data((u32)told), it->length, it->stage, it->parent, it->n_news, it->brought);
    }
    if (fz_end->full) {
      fz_tell(fz_end->kind, fz_end->bytes, fz_end->length, 0, 0, fz_end->signal, 0);
      fz_end->full = 0;
    }
    if (!told_all && fz_board->waiting && fz_waiting->taken == fz_waiting->put) {
      fz_tell(RAN_ALL, NULL, 0, 0, 0, 0, 0);
      told_all = 1;
    }
    int status;
    if (fz_wait_for_session(fz_worker, &status, WNOHANG) == fz_worker) {
      fz_end_children();
      fz_worker_ended(status);
      fz_start_worker();
      last_change = fz_now();
      continue;
    }
    u64 now = fz_now();
    if (fz_board->runs != last_runs || !fz_board->running) last_runs = fz_board->runs, last_change = now;
    int is_stuck = now - last_change > (u64)fz_asked.timeout * 4000000;
    int is_large = !fz_asked.isolate && fz_board->running && fz_memory_of(fz_worker) > fz_asked.memory;
    if (is_stuck || is_large) {
      /* It has blocked its signals, or takes more memory than it may. */
      kill(fz_worker, SIGKILL);
      fz_wait_for_session(fz_worker, &status, 0);
      fz_end_children();
      u32 length = fz_least((u32)fz_board->length, MOST_INPUT);
      if (is_large) fz_board->memory++;
      else fz_board->hangs++;
      fz_tell(is_large ? MEMORY_ON : LATE_ON, fz_board->input, length, 0, 0, 0, 0);
      fz_start_worker();
      last_change = fz_now();
    }
  }
}

/* A single input, in this process, as the program's user would run it. */
static int fz_one(const char *path, int argc, char **argv) {
  static u8 data[MOST_INPUT];
  int file = open(path, O_RDONLY);
  u32 length = 0;
  ssize_t n;
  while (file >= 0 && length < sizeof data && (n = read(file, data + length, sizeof data - length)) > 0) length += (u32)n;
  if (file < 0) return 120;
  close(file);
  const char *names = getenv("EFFIGY_FUZZ_NAMES");
  if (names) fz_names = open(names, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fz_asked.kind == TARGET && LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  fz_open_room();
  fz_is_own = 1;
  if (fz_asked.kind == TARGET) {
    /* A block of exactly this size: a sanitizer sees what is beyond it. */
    u8 *own = malloc(length);
    if (!own) abort();
    memcpy(own, data, length);
    LLVMFuzzerTestOneInput(own, length);
    free(own);
    exit(0);
  }
  fz_call(data, length);
  return 0;
}

int __wrap_main(int argc, char **argv, char **envp) {
  (void)envp;
  fz_asked.kind = (enum kind)fz_environment("EFFIGY_FUZZ_KIND", TARGET);
  fz_asked.isolate = (int)fz_environment("EFFIGY_FUZZ_ISOLATE", 0);
  fz_asked.most = fz_least((u32)fz_environment("EFFIGY_FUZZ_MOST", 4096), MOST_INPUT);
  fz_asked.timeout = (u32)fz_environment("EFFIGY_FUZZ_TIMEOUT", 1000);
  fz_asked.memory = fz_environment("EFFIGY_FUZZ_MEMORY", 2048) << 20;
  fz_asked.seed = fz_environment("EFFIGY_FUZZ_SEED", 1);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  const char *one = getenv("EFFIGY_FUZZ_ONE"), *board = getenv("EFFIGY_FUZZ_BOARD");
  if (one) return fz_one(one, argc, argv);
  int file = board ? open(board, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return 120;
  fz_board = mmap(NULL, sizeof *fz_board, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (fz_board == MAP_FAILED) return 120;
  close(file);
  signal(SIGPIPE, SIG_IGN);
  if (fz_asked.kind == TARGET && LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  fz_board->edges = fz_edges;
  fz_open_queue();
  fz_open_room();
  fz_sites = fz_shared(SITES * sizeof *fz_sites);
  fz_all_turns = fz_shared(SITES * sizeof *fz_all_turns);
  fz_waiting = fz_shared(sizeof *fz_waiting);
  fz_end = fz_shared(sizeof *fz_end);
  atexit(fz_at_exit);
  fz_keeper();
  return 0;
}
