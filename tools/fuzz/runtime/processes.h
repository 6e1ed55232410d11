/* Processes that the program starts: how many there may be, and that none of them outlives us.
 *
 * Knows: the session of a worker, the children of a process. Never: what a run means.
 *
 * A target that forks and whose child returns would become a second loop, and that one a third. The program's fork(2)
 * fails after MOST_FORKS of a run, a child that comes back from the program ends, and what is left of a run is killed. */

enum {
  MOST_FORKS = 256, /* of one run; chosen without measuring */
  MOST_CHILDREN_TEXT = 1 << 14,
};

/* All processes of the program share it. */
static struct {
  volatile u32 count; /* forks of this run */
} *fz_forks;
static int fz_is_stray; /* this process was forked by the program */

pid_t __real_fork(void);
pid_t __wrap_fork(void) {
  if (fz_forks && __sync_add_and_fetch(&fz_forks->count, 1) > MOST_FORKS) {
    errno = EAGAIN;
    return -1;
  }
  return __real_fork();
}
/* A child that has its own memory: what a program may do in one of vfork(2) it may do here, too. */
pid_t __wrap_vfork(void) { return __wrap_fork(); }

static pid_t fz_who_forks;
static void fz_before_fork(void) { fz_who_forks = getpid(); }

static void fz_mark_child(void) {
  fz_is_stray = 1;
  /* A run with sanitizers has nobody who ends what it leaves behind; its process may be gone already. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != fz_who_forks) kill(getpid(), SIGKILL);
  if (fz_forks && fz_forks->count == 0) fz_forks->count = 1;
}

/* The library's own forks (daemon, forkpty) are seen here alone. */
static void fz_watch_forks(void) {
  fz_forks = fz_shared(sizeof *fz_forks);
  pthread_atfork(fz_before_fork, NULL, fz_mark_child);
}

/* Our own fork: the child is none of the program's. */
static pid_t fz_fork(void) {
  pid_t child = __real_fork();
  if (child == 0) fz_is_stray = 0, fz_forks->count = 0;
  return child;
}

/* Kills the children of this process, and theirs as they become ours. Calls of the system only: a handler of
 * signals comes here. Without /proc nothing is done: then only the session is killed. */
static void fz_end_children(void) {
  char path[64] = "/proc/self/task/", digits[16];
  int n = 0, at = 16;
  for (pid_t it = getpid(); it; it /= 10) digits[n++] = (char)('0' + it % 10);
  while (n) path[at++] = digits[--n];
  __builtin_memcpy(path + at, "/children", 10);
  for (int rounds = 0; rounds < 64; rounds++) {
    char text[MOST_CHILDREN_TEXT];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t size = read(file, text, sizeof text);
    close(file);
    int ended = 0;
    pid_t child = 0;
    for (ssize_t i = 0; i < size; i++) {
      if (text[i] >= '0' && text[i] <= '9') {
        child = child * 10 + (text[i] - '0');
        continue;
      }
      if (child && kill(child, SIGKILL) == 0) {
        waitpid(child, NULL, 0);
        ended++;
      }
      child = 0;
    }
    if (!ended) return;
  }
}

/* Waits for a process that leads a session of its own; with it the session ends. */
static pid_t fz_wait_for_session(pid_t leader, int *status, int options) {
  siginfo_t it = {0};
  /* While it is not reaped nobody else has its number. */
  if (waitid(P_PID, (id_t)leader, &it, WEXITED | WNOWAIT | options) != 0) return -1;
  if (it.si_pid != leader) return 0;
  kill(-leader, SIGKILL);
  return waitpid(leader, status, 0);
}
