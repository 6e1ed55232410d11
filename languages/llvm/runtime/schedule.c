
/* The schedule of a test: one thread runs at a time, and goes on to the next in the order that the test has recorded.
 *
 * The file beside the test, `.schedule` behind its name, begins with whether unlocks are turns; a line for each turn follows:
 * the thread, the action, and the thread that it wakes, or -1. A thread stops before each action that others can see, as
 * in effigy (`src/threads.rs`), and makes it in its turn. A program that stops elsewhere has left its schedule, and ends.
 *
 * Whoever waits does so on a futex: no sanitizer sees that one turn happens before the next, so ThreadSanitizer reports the
 * data races of the program in whichever order its threads run. The locks are the program's own: a turn that takes one
 * is only made while it is free. */
#include <dlfcn.h>
#include <elf.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <threads.h>

enum { DEADLOCKED = 89, AT_END = 90, LEFT = 91 };
enum { MOST_THREADS = 65, MOST_SPINS = 64 };

enum effigy_action {
  BEGIN, CREATE, JOIN, DETACH, LOCK, UNLOCK, TRYLOCK, WAIT, WAKE, SIGNAL, BROADCAST, READ_LOCK, WRITE_LOCK, TRY_READ_LOCK,
  TRY_WRITE_LOCK, BARRIER, LEAVE_BARRIER, SEM_WAIT, SEM_TRY, SEM_POST, SEM_VALUE, ONCE, GUARD, BLOCK, ATOMIC, EXIT, ACTIONS
};

static const char *const effigy_actions[ACTIONS] = {
    "begin", "create", "join", "detach", "lock", "unlock", "trylock", "wait", "wake", "signal", "broadcast", "read-lock",
    "write-lock", "try-read-lock", "try-write-lock", "barrier", "leave-barrier", "sem-wait", "sem-try", "sem-post",
    "sem-value", "once", "guard", "block", "atomic", "exit"};

struct effigy_turn {
  int thread, action, wakes;
};

struct effigy_thread {
  /* 1 once it was chosen: the futex on which it waits. */
  int is_chosen;
  int is_alive, is_joined, is_detached, is_parked;
  enum effigy_action action;
  /* What it waits for: whether the object lets it go. Without a function it does not wait. */
  int (*is_ready)(struct effigy_thread *thread);
  void *object;
  /* While it waits for a condition variable, that and the mutex. */
  void *condition;
  pthread_mutex_t *mutex;
  int is_signalled, has_deadline;
  int is_released;
  int is_in_block;
  /* The function that is the block, if it is one, and how deep it is called. */
  void *block_function, *block_frame;
  pthread_t handle;
  void *(*start)(void *);
  void *argument;
};

static struct effigy_thread effigy_threads[MOST_THREADS] = {{.is_alive = 1}};
static int effigy_thread_count = 1;
static __thread int effigy_self;

static struct effigy_turn *effigy_turns;
static int effigy_turn_count, effigy_next_turn, effigy_wakes = -1;
/* How many turns were taken, in a file: whoever compares the run reads it, also where the program is killed. */
static int effigy_taken = -1;
static int effigy_unlocks_are_turns, effigy_is_leaving;

static struct effigy_thread *effigy_own(void) { return &effigy_threads[effigy_self]; }
static int effigy_are_several(void) { return effigy_thread_count > 1; }

__attribute__((noreturn)) static void effigy_finish(int code, const char *what, const char *more) {
  effigy_is_leaving = 1;
  fflush(stdout);
  fprintf(stderr, "effigy: %s%s\n", what, more);
  fflush(stderr);
  _Exit(code);
}
__attribute__((noreturn)) static void effigy_left(const char *why) { effigy_finish(LEFT, "the schedule is left: ", why); }
__attribute__((noreturn)) static void effigy_deadlocked(const char *what) { effigy_finish(DEADLOCKED, "deadlock: ", what); }
__attribute__((noreturn)) static void effigy_misused(const char *what) { effigy_finish(FAILED, "misuse: ", what); }

/* The functions of the C library, or what a sanitizer has in their place. */
#define REAL(name) \
  extern __typeof__(name) __interceptor_##name __attribute__((weak)); \
  static __typeof__(&name) effigy_real_##name(void) { \
    static __typeof__(&name) real; \
    if (!real) real = &__interceptor_##name ? &__interceptor_##name : (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    return real; \
  }
REAL(pthread_create)
REAL(pthread_join)
REAL(pthread_detach)
REAL(pthread_exit)
REAL(pthread_mutex_init)
REAL(pthread_mutex_destroy)
REAL(pthread_mutex_lock)
REAL(pthread_mutex_trylock)
REAL(pthread_mutex_unlock)
REAL(pthread_cond_destroy)
REAL(pthread_rwlock_rdlock)
REAL(pthread_rwlock_wrlock)
REAL(pthread_rwlock_tryrdlock)
REAL(pthread_rwlock_trywrlock)
REAL(pthread_rwlock_unlock)
REAL(pthread_spin_lock)
REAL(pthread_spin_trylock)
REAL(pthread_spin_unlock)
REAL(sem_trywait)
REAL(sem_post)
REAL(sem_getvalue)

/* What ThreadSanitizer is told of synchronisation that is made here. */
__attribute__((weak)) void __tsan_acquire(void *at);
__attribute__((weak)) void __tsan_release(void *at);
static void effigy_acquire(void *at) {
  if (__tsan_acquire) __tsan_acquire(at);
}
static void effigy_release(void *at) {
  if (__tsan_release) __tsan_release(at);
}

/* Libraries have locks of their own, of which the schedule knows nothing. */
extern char __executable_start, etext;
#define IS_FOREIGN \
  ((char *)__builtin_return_address(0) < &__executable_start || (char *)__builtin_return_address(0) >= &etext)

static int effigy_action_named(const char *name) {
  for (int it = 0; it < ACTIONS; it++)
    if (strcmp(name, effigy_actions[it]) == 0) return it;
  return -1;
}

static void effigy_find_atomic_functions(void);

/* Reads the schedule. It is read before the second thread is there. */
static void effigy_load(void) {
  const char *test = getenv("EFFIGY_TEST");
  char path[4096];
  if (!test || snprintf(path, sizeof path, "%s.schedule", test) >= (int)sizeof path) effigy_left("it has no name");
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat about;
  if (file < 0 || __real_fstat(file, &about) != 0) effigy_left("no second thread was expected");
  size_t size = (size_t)about.st_size;
  char *text = __real_malloc(size + 1);
  for (size_t at = 0; text && at < size;) {
    ssize_t count = __real_read(file, text + at, size - at);
    if (count <= 0) effigy_left("it cannot be read");
    at += (size_t)count;
  }
  __real_close(file);
  if (!text) effigy_left("there is no memory for it");
  text[size] = 0;
  int lines = 0;
  for (char *it = text; *it; it++) lines += *it == '\n';
  effigy_turns = __real_malloc(((size_t)lines + 1) * sizeof *effigy_turns);
  if (!effigy_turns) effigy_left("there is no memory for it");
  char *rest, *line = strtok_r(text, "\n", &rest);
  if (line) effigy_unlocks_are_turns = *line == '1';
  while ((line = strtok_r(NULL, "\n", &rest))) {
    struct effigy_turn *turn = &effigy_turns[effigy_turn_count++];
    char name[32] = "";
    if (sscanf(line, "%d %31s %d", &turn->thread, name, &turn->wakes) != 3) effigy_left("it cannot be read");
    turn->action = effigy_action_named(name);
    if (turn->action < 0 || turn->thread < 0 || turn->thread >= MOST_THREADS) effigy_left("an action of it is not known");
  }
  free(text);
}

/* Keeps how many turns were taken in the file beside the test, `.turns` behind its name. */
static void effigy_note_turns(void) {
  if (effigy_taken < 0) {
    const char *test = getenv("EFFIGY_TEST");
    char path[4096];
    if (!test || snprintf(path, sizeof path, "%s.turns", test) >= (int)sizeof path) effigy_left("it has no name");
    int near = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    effigy_taken = near < 0 ? -1 : fcntl(near, F_DUPFD_CLOEXEC, FAR);
    if (effigy_taken < 0) effigy_left("its turns cannot be noted");
    __real_close(near);
  }
  int32_t turns = effigy_next_turn;
  if (syscall(SYS_pwrite64, effigy_taken, &turns, sizeof turns, 0) != sizeof turns) effigy_left("its turns cannot be noted");
}

static void effigy_futex(int *at, int operation, int value) { syscall(SYS_futex, at, operation, value, NULL, NULL, 0); }

/* After the last turn every thread stands before an action, or has ended. */
static void effigy_at_end(void) {
  int are_alive = 0;
  for (int it = 0; it < effigy_thread_count; it++) {
    struct effigy_thread *thread = &effigy_threads[it];
    if (!thread->is_alive) continue;
    are_alive = 1;
    if (!thread->is_ready || thread->is_ready(thread)) effigy_finish(AT_END, "the schedule is at its end", "");
  }
  if (are_alive) effigy_deadlocked("no thread can go on");
}

/* The thread of the next turn goes on. */
static void effigy_choose_next(void) {
  if (effigy_next_turn == effigy_turn_count) {
    effigy_at_end();
    return;
  }
  struct effigy_turn *turn = &effigy_turns[effigy_next_turn++];
  struct effigy_thread *thread = &effigy_threads[turn->thread];
  if (turn->thread >= effigy_thread_count || !thread->is_alive || !thread->is_parked) effigy_left("a thread has ended before its turn");
  if ((int)thread->action != turn->action) {
    char why[160];
    snprintf(why, sizeof why, "thread %d was to %s in turn %d, and would %s", turn->thread, effigy_actions[turn->action],
             effigy_next_turn, effigy_actions[thread->action]);
    effigy_left(why);
  }
  effigy_note_turns();
  effigy_wakes = turn->wakes;
  thread->is_parked = 0;
  __atomic_store_n(&thread->is_chosen, 1, __ATOMIC_RELEASE);
  if (thread != effigy_own()) effigy_futex(&thread->is_chosen, FUTEX_WAKE_PRIVATE, 1);
}

/* Waits for a turn. */
static void effigy_stop(void) {
  struct effigy_thread *own = effigy_own();
  while (!__atomic_load_n(&own->is_chosen, __ATOMIC_ACQUIRE)) effigy_futex(&own->is_chosen, FUTEX_WAIT_PRIVATE, 0);
  __atomic_store_n(&own->is_chosen, 0, __ATOMIC_RELAXED);
}

/* The thread is about to do what others can see: it goes on in its turn. */
static void effigy_park(enum effigy_action action, int (*is_ready)(struct effigy_thread *), void *object) {
  struct effigy_thread *own = effigy_own();
  int number = errno;
  own->action = action;
  own->is_ready = is_ready;
  own->object = object;
  own->is_parked = 1;
  effigy_choose_next();
  effigy_stop();
  errno = number;
}

static void effigy_point(enum effigy_action action, int (*is_ready)(struct effigy_thread *), void *object) {
  if (effigy_are_several() && !effigy_own()->is_in_block && !effigy_is_leaving) effigy_park(action, is_ready, object);
}

/* What a thread was chosen for does not go: alone it waits for ever. */
__attribute__((noreturn)) static void effigy_cannot(const char *what) {
  if (effigy_are_several()) effigy_left(what);
  effigy_deadlocked(what);
}

/* The end of a program is an action, and once more after each function that is run then. */
void effigy_before_exit(void) { effigy_point(EXIT, NULL, NULL); }

/* When nothing of the program runs any more. */
static void effigy_at_last(void) {
  for (int it = effigy_next_turn; it < effigy_turn_count && !effigy_is_leaving; it++)
    if (effigy_turns[it].thread != effigy_self || effigy_turns[it].action != EXIT)
      effigy_left("the program ends before the other threads");
  effigy_is_leaving = 1;
}
/* What is registered first runs last. */
__attribute__((constructor(102))) static void effigy_begin_schedule(void) { atexit(effigy_at_last); }

struct effigy_handler {
  void (*function)(void *);
  void (*with_status)(int, void *);
  void *argument;
};
static void effigy_run_handler(int status, void *given) {
  struct effigy_handler *handler = given;
  if (handler->function) handler->function(handler->argument);
  if (handler->with_status) handler->with_status(status, handler->argument);
  effigy_before_exit();
}
int __real_on_exit(void (*function)(int, void *), void *argument);
static int effigy_register(struct effigy_handler handler) {
  struct effigy_handler *kept = __real_malloc(sizeof *kept);
  if (!kept) return -1;
  *kept = handler;
  return __real_on_exit(effigy_run_handler, kept);
}
int __wrap_atexit(void (*function)(void)) {
  return effigy_register((struct effigy_handler){.function = (void (*)(void *))(void (*)(int))function});
}
int __wrap___cxa_atexit(void (*function)(void *), void *argument, void *library) {
  (void)library;
  return effigy_register((struct effigy_handler){.function = function, .argument = argument});
}
int __wrap_on_exit(void (*function)(int, void *), void *argument) {
  return effigy_register((struct effigy_handler){.with_status = function, .argument = argument});
}
__attribute__((noreturn)) void __real__exit(int code);
__attribute__((noreturn)) void __real__Exit(int code);
__attribute__((noreturn)) void __real_quick_exit(int code);
/* Our own ends are no action of the program. */
static void effigy_before_end(int code) {
  if (code == STARTS || (code >= DIVERGED && code <= LEFT)) return;
  effigy_before_exit();
  effigy_at_last();
}
__attribute__((noreturn)) void __wrap__exit(int code) {
  effigy_before_end(code);
  __real__exit(code);
}
__attribute__((noreturn)) void __wrap__Exit(int code) {
  effigy_before_end(code);
  __real__Exit(code);
}
__attribute__((noreturn)) void __wrap_quick_exit(int code) {
  effigy_before_exit();
  effigy_at_last();
  __real_quick_exit(code);
}
