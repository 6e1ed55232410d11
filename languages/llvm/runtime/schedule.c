
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
  pthread_t handle;
  void *(*start)(void *);
  void *argument;
};

static struct effigy_thread effigy_threads[MOST_THREADS] = {{.is_alive = 1}};
static int effigy_thread_count = 1;
static __thread int effigy_self;

static struct effigy_turn *effigy_turns;
static int effigy_turn_count, effigy_next_turn, effigy_wakes = -1;
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

/* Before the program ends. What comes after it are more of its turns, one for each function that is run then. */
void effigy_before_exit(void) {
  if (!effigy_are_several() || effigy_is_leaving) return;
  effigy_point(EXIT, NULL, NULL);
  for (int it = effigy_next_turn; it < effigy_turn_count; it++)
    if (effigy_turns[it].thread != effigy_self || effigy_turns[it].action != EXIT)
      effigy_left("threads run while the program ends");
  effigy_is_leaving = 1;
}
__attribute__((noreturn)) void __real__exit(int code);
__attribute__((noreturn)) void __real__Exit(int code);
__attribute__((noreturn)) void __real_quick_exit(int code);
/* Our own ends are no action of the program. */
static int effigy_is_own_end(int code) { return code >= STARTS && code <= LEFT; }
__attribute__((noreturn)) void __wrap__exit(int code) {
  if (!effigy_is_own_end(code)) effigy_before_exit();
  __real__exit(code);
}
__attribute__((noreturn)) void __wrap__Exit(int code) {
  if (!effigy_is_own_end(code)) effigy_before_exit();
  __real__Exit(code);
}
__attribute__((noreturn)) void __wrap_quick_exit(int code) {
  effigy_before_exit();
  __real_quick_exit(code);
}

/* Threads. */

/* The destructors of other keys are run before the last rounds of this one's. */
enum { ROUNDS = 3 };
static pthread_key_t effigy_end_key;

static void effigy_end_thread(void *rounds) {
  if ((intptr_t)rounds > 1) {
    pthread_setspecific(effigy_end_key, (void *)((intptr_t)rounds - 1));
    return;
  }
  effigy_own()->is_alive = 0;
  if (effigy_are_several()) effigy_choose_next();
}

static void *effigy_run(void *given) {
  struct effigy_thread *own = given;
  effigy_self = (int)(own - effigy_threads);
  effigy_stop();
  pthread_setspecific(effigy_end_key, (void *)(intptr_t)ROUNDS);
  return own->start(own->argument);
}

int pthread_create(pthread_t *into, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (!effigy_turns) {
    effigy_load();
    if (pthread_key_create(&effigy_end_key, effigy_end_thread) != 0) effigy_left("there is no key for the ends of threads");
  }
  effigy_point(CREATE, NULL, NULL);
  if (effigy_thread_count == MOST_THREADS) effigy_left("there are too many threads");
  struct effigy_thread *thread = &effigy_threads[effigy_thread_count++];
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  *thread = (struct effigy_thread){.is_alive = 1, .is_parked = 1, .action = BEGIN, .start = start, .argument = argument};
  thread->is_detached = state == PTHREAD_CREATE_DETACHED;
  if (effigy_real_pthread_create()(&thread->handle, attributes, effigy_run, thread) != 0)
    effigy_left("a thread cannot be created");
  *into = thread->handle;
  return 0;
}

/* The thread of a handle that may be joined or detached; a number is given to another thread after its end. */
static struct effigy_thread *effigy_named(pthread_t handle) {
  for (int it = effigy_thread_count - 1; it > 0; it--) {
    struct effigy_thread *thread = &effigy_threads[it];
    if (thread->handle != handle) continue;
    if (thread->is_joined) effigy_misused("a thread is used after it was joined");
    if (thread->is_detached) effigy_misused("a thread is used after it was detached");
    return thread;
  }
  if (handle == pthread_self()) return &effigy_threads[0];
  effigy_misused("no thread has this number");
}

static int effigy_has_ended(struct effigy_thread *thread) { return !((struct effigy_thread *)thread->object)->is_alive; }

int pthread_join(pthread_t handle, void **result) {
  struct effigy_thread *thread = effigy_named(handle);
  if (thread == effigy_own()) return EDEADLK;
  effigy_point(JOIN, effigy_has_ended, thread);
  effigy_named(handle);
  if (thread->is_alive) effigy_cannot("a thread is joined that runs");
  thread->is_joined = 1;
  return effigy_real_pthread_join()(handle, result);
}

int pthread_detach(pthread_t handle) {
  struct effigy_thread *thread = effigy_named(handle);
  effigy_point(DETACH, NULL, NULL);
  effigy_named(handle);
  thread->is_detached = 1;
  return effigy_real_pthread_detach()(handle);
}

__attribute__((noreturn)) void pthread_exit(void *result) {
  if (effigy_self == 0 && effigy_are_several()) pthread_setspecific(effigy_end_key, (void *)(intptr_t)ROUNDS);
  effigy_real_pthread_exit()(result);
  __builtin_unreachable();
}

/* Mutexes. */

static pid_t effigy_number_of_thread(void) { return (pid_t)syscall(SYS_gettid); }
static int effigy_is_own(pthread_mutex_t *mutex) {
  return mutex->__data.__lock != 0 && mutex->__data.__owner == effigy_number_of_thread();
}
/* A normal mutex does not know who locks it again, and who unlocks it. */
static int effigy_is_normal(pthread_mutex_t *mutex) {
  int kind = mutex->__data.__kind & 3;
  return kind != PTHREAD_MUTEX_RECURSIVE && kind != PTHREAD_MUTEX_ERRORCHECK;
}
static int effigy_is_unlocked(struct effigy_thread *thread) {
  return ((pthread_mutex_t *)thread->object)->__data.__lock == 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (IS_FOREIGN || mutex->__data.__kind < 0) return effigy_real_pthread_mutex_lock()(mutex);
  if (effigy_is_own(mutex)) {
    if (effigy_is_normal(mutex)) effigy_deadlocked("a thread locks a mutex again, which it holds");
    return effigy_real_pthread_mutex_lock()(mutex);
  }
  effigy_point(LOCK, effigy_is_unlocked, mutex);
  if (mutex->__data.__lock != 0) effigy_cannot("a mutex is not free");
  return effigy_real_pthread_mutex_lock()(mutex);
}

static int effigy_try_mutex(pthread_mutex_t *mutex, int failure) {
  effigy_point(TRYLOCK, NULL, NULL);
  int res = effigy_real_pthread_mutex_trylock()(mutex);
  return res == EBUSY ? failure : res;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  return IS_FOREIGN ? effigy_real_pthread_mutex_trylock()(mutex) : effigy_try_mutex(mutex, EBUSY);
}
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
  (void)until;
  return effigy_try_mutex(mutex, ETIMEDOUT);
}
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  return effigy_try_mutex(mutex, ETIMEDOUT);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (!IS_FOREIGN && effigy_unlocks_are_turns && effigy_is_own(mutex)) effigy_point(UNLOCK, NULL, NULL);
  return effigy_real_pthread_mutex_unlock()(mutex);
}

/* Spin locks do not know their owners. */
static struct {
  pthread_spinlock_t *lock;
  int owner;
} effigy_spins[MOST_SPINS];

static int *effigy_owner_of(pthread_spinlock_t *lock) {
  for (int it = 0; it < MOST_SPINS; it++) {
    if (!effigy_spins[it].lock) effigy_spins[it].lock = lock;
    if (effigy_spins[it].lock == lock) return &effigy_spins[it].owner;
  }
  effigy_left("there are too many spin locks");
}
static int effigy_is_spin_unlocked(struct effigy_thread *thread) {
  return *effigy_owner_of((pthread_spinlock_t *)thread->object) == 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  if (*effigy_owner_of(lock) == effigy_self + 1) effigy_deadlocked("a thread locks a spin lock again, which it holds");
  effigy_point(LOCK, effigy_is_spin_unlocked, (void *)lock);
  if (*effigy_owner_of(lock) != 0) effigy_cannot("a spin lock is not free");
  *effigy_owner_of(lock) = effigy_self + 1;
  return effigy_real_pthread_spin_lock()(lock);
}
int pthread_spin_trylock(pthread_spinlock_t *lock) {
  effigy_point(TRYLOCK, NULL, NULL);
  int res = effigy_real_pthread_spin_trylock()(lock);
  if (res == 0) *effigy_owner_of(lock) = effigy_self + 1;
  return res;
}
int pthread_spin_unlock(pthread_spinlock_t *lock) {
  if (effigy_unlocks_are_turns && *effigy_owner_of(lock) == effigy_self + 1) effigy_point(UNLOCK, NULL, NULL);
  *effigy_owner_of(lock) = 0;
  return effigy_real_pthread_spin_unlock()(lock);
}

/* Condition variables: who waits is known here, and the object is not used. */

static int effigy_is_awake(struct effigy_thread *thread) {
  return (thread->is_signalled || thread->has_deadline) && thread->mutex->__data.__lock == 0;
}

static int effigy_wait_for(void *condition, pthread_mutex_t *mutex, int has_deadline) {
  struct effigy_thread *own = effigy_own();
  if (effigy_is_own(mutex)) effigy_point(WAIT, NULL, NULL);
  if (!effigy_are_several()) {
    if (has_deadline) return ETIMEDOUT;
    effigy_deadlocked("the only thread waits for a signal");
  }
  int res = effigy_real_pthread_mutex_unlock()(mutex);
  if (res != 0) return res;
  own->condition = condition;
  own->mutex = mutex;
  own->is_signalled = 0;
  own->has_deadline = has_deadline;
  if (own->is_in_block) effigy_left("a block that is atomic waits");
  effigy_park(WAKE, effigy_is_awake, mutex);
  own->condition = NULL;
  if (!own->is_signalled && !has_deadline) effigy_left("a thread goes on that was not signalled");
  if (mutex->__data.__lock != 0) effigy_left("the mutex of a wait is not free");
  effigy_real_pthread_mutex_lock()(mutex);
  return own->is_signalled ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) { return effigy_wait_for(condition, mutex, 0); }
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  (void)until;
  return effigy_wait_for(condition, mutex, 1);
}
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  return effigy_wait_for(condition, mutex, 1);
}

static int effigy_waits_for(struct effigy_thread *thread, void *condition) {
  return thread->condition == condition && !thread->is_signalled;
}

int pthread_cond_signal(pthread_cond_t *condition) {
  effigy_point(SIGNAL, NULL, NULL);
  int waiting = 0;
  struct effigy_thread *chosen = NULL;
  for (int it = 0; it < effigy_thread_count; it++) {
    if (!effigy_waits_for(&effigy_threads[it], condition)) continue;
    waiting++;
    chosen = &effigy_threads[it];
  }
  if (waiting > 1) {
    if (effigy_wakes < 0 || effigy_wakes >= effigy_thread_count) effigy_left("several threads wait for a signal");
    chosen = &effigy_threads[effigy_wakes];
    effigy_wakes = -1;
    if (!effigy_waits_for(chosen, condition)) effigy_left("the thread that is signalled does not wait");
  }
  if (chosen) chosen->is_signalled = 1;
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  effigy_point(BROADCAST, NULL, NULL);
  for (int it = 0; it < effigy_thread_count; it++)
    if (effigy_waits_for(&effigy_threads[it], condition)) effigy_threads[it].is_signalled = 1;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
  for (int it = 0; it < effigy_thread_count; it++)
    if (effigy_waits_for(&effigy_threads[it], condition)) effigy_misused("a condition variable is destroyed while a thread waits");
  return effigy_real_pthread_cond_destroy()(condition);
}

/* Readers-writer locks. */

static int effigy_can_read(struct effigy_thread *thread) {
  return effigy_real_pthread_rwlock_tryrdlock()(thread->object) == 0;
}
static int effigy_can_write(struct effigy_thread *thread) {
  return effigy_real_pthread_rwlock_trywrlock()(thread->object) == 0;
}
static int effigy_writes(pthread_rwlock_t *lock) { return lock->__data.__cur_writer == effigy_number_of_thread(); }

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  if (IS_FOREIGN) return effigy_real_pthread_rwlock_rdlock()(lock);
  if (effigy_writes(lock)) return EDEADLK;
  effigy_point(READ_LOCK, effigy_can_read, lock);
  int res = effigy_real_pthread_rwlock_tryrdlock()(lock);
  if (res == EBUSY) effigy_cannot("a lock has a writer");
  return res;
}
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  if (IS_FOREIGN) return effigy_real_pthread_rwlock_wrlock()(lock);
  if (effigy_writes(lock)) return EDEADLK;
  effigy_point(WRITE_LOCK, effigy_can_write, lock);
  int res = effigy_real_pthread_rwlock_trywrlock()(lock);
  if (res == EBUSY) effigy_cannot("a lock is held");
  return res;
}
static int effigy_try_read(pthread_rwlock_t *lock, int failure) {
  effigy_point(TRY_READ_LOCK, NULL, NULL);
  int res = effigy_real_pthread_rwlock_tryrdlock()(lock);
  return res == EBUSY ? failure : res;
}
static int effigy_try_write(pthread_rwlock_t *lock, int failure) {
  effigy_point(TRY_WRITE_LOCK, NULL, NULL);
  int res = effigy_real_pthread_rwlock_trywrlock()(lock);
  return res == EBUSY ? failure : res;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { return effigy_try_read(lock, EBUSY); }
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { return effigy_try_write(lock, EBUSY); }
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
  (void)until;
  return effigy_try_read(lock, ETIMEDOUT);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
  (void)until;
  return effigy_try_write(lock, ETIMEDOUT);
}
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (!IS_FOREIGN && effigy_unlocks_are_turns) effigy_point(UNLOCK, NULL, NULL);
  return effigy_real_pthread_rwlock_unlock()(lock);
}

/* Barriers are made of three numbers here, in the place of the library's. */

struct effigy_barrier {
  unsigned count, waiting, round, is_made;
};

int pthread_barrier_init(pthread_barrier_t *at, const pthread_barrierattr_t *attributes, unsigned count) {
  (void)attributes;
  if (count == 0) return EINVAL;
  *(struct effigy_barrier *)at = (struct effigy_barrier){.count = count, .is_made = 1};
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t *at) {
  struct effigy_barrier *barrier = (struct effigy_barrier *)at;
  if (barrier->waiting != 0) effigy_misused("a barrier is destroyed while threads wait");
  barrier->count = barrier->is_made = 0;
  return 0;
}
static int effigy_is_released(struct effigy_thread *thread) { return thread->is_released; }

int pthread_barrier_wait(pthread_barrier_t *at) {
  struct effigy_barrier *barrier = (struct effigy_barrier *)at;
  struct effigy_thread *own = effigy_own();
  if (!barrier->is_made) effigy_misused("a barrier is used that is none");
  effigy_point(BARRIER, NULL, NULL);
  /* One address for each round: the next round's is none of this one's. */
  char *arrived = (char *)at + 8 * (barrier->round % 2);
  effigy_release(arrived);
  if (++barrier->waiting < barrier->count) {
    if (!effigy_are_several()) effigy_deadlocked("the only thread waits at a barrier");
    if (own->is_in_block) effigy_left("a block that is atomic waits");
    own->is_released = 0;
    effigy_park(LEAVE_BARRIER, effigy_is_released, barrier);
    if (!own->is_released) effigy_left("a thread leaves a barrier at which it waits");
    effigy_acquire(arrived);
    return 0;
  }
  for (int it = 0; it < effigy_thread_count; it++) {
    struct effigy_thread *thread = &effigy_threads[it];
    if (thread->is_parked && thread->action == LEAVE_BARRIER && thread->object == barrier) thread->is_released = 1;
  }
  barrier->waiting = 0;
  barrier->round++;
  effigy_acquire(arrived);
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

/* Semaphores. */

static int effigy_is_posted(struct effigy_thread *thread) {
  int value = 0;
  effigy_real_sem_getvalue()(thread->object, &value);
  return value > 0;
}
int sem_wait(sem_t *semaphore) {
  effigy_point(SEM_WAIT, effigy_is_posted, semaphore);
  if (effigy_real_sem_trywait()(semaphore) != 0) effigy_cannot("a semaphore is zero");
  return 0;
}
int sem_trywait(sem_t *semaphore) {
  effigy_point(SEM_TRY, NULL, NULL);
  return effigy_real_sem_trywait()(semaphore);
}
int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  (void)until;
  effigy_point(SEM_TRY, NULL, NULL);
  int res = effigy_real_sem_trywait()(semaphore);
  if (res != 0 && errno == EAGAIN) errno = ETIMEDOUT;
  return res;
}
int sem_post(sem_t *semaphore) {
  effigy_point(SEM_POST, NULL, NULL);
  return effigy_real_sem_post()(semaphore);
}
int sem_getvalue(sem_t *semaphore, int *value) {
  effigy_point(SEM_VALUE, NULL, NULL);
  return effigy_real_sem_getvalue()(semaphore, value);
}

/* What is initialised once: 0 at first, 1 while that goes on, 2 afterwards. */

static int effigy_is_not_running(struct effigy_thread *thread) { return *(int *)thread->object != 1; }

static void effigy_call_once(int *state, void (*function)(void), int is_foreign) {
  if (!is_foreign) effigy_point(ONCE, effigy_is_not_running, state);
  if (*state == 1) effigy_cannot("an initialisation is in progress");
  if (*state == 0) {
    *state = 1;
    function();
    *state = 2;
    effigy_release(state);
    return;
  }
  effigy_acquire(state);
}
int pthread_once(pthread_once_t *once, void (*function)(void)) {
  effigy_call_once(once, function, IS_FOREIGN);
  return 0;
}
void call_once(once_flag *once, void (*function)(void)) { effigy_call_once((int *)once, function, IS_FOREIGN); }

/* The first byte of a guard says that the variable is initialised, the second half which thread does it. */
static int effigy_is_unguarded(struct effigy_thread *thread) { return ((int *)thread->object)[1] == 0; }

int __wrap___cxa_guard_acquire(uint64_t *guard) {
  effigy_point(GUARD, effigy_is_unguarded, guard);
  effigy_acquire(guard);
  if (*(volatile char *)guard) return 0;
  if (((int *)guard)[1] != 0) effigy_cannot("a variable is being initialised");
  ((int *)guard)[1] = effigy_self + 1;
  return 1;
}
void __wrap___cxa_guard_release(uint64_t *guard) {
  ((int *)guard)[1] = 0;
  *(volatile char *)guard = 1;
  effigy_release(guard);
}
void __wrap___cxa_guard_abort(uint64_t *guard) {
  ((int *)guard)[1] = 0;
  effigy_release(guard);
}

/* SV-COMP's blocks, in which no other thread runs. ThreadSanitizer does not know that their accesses are atomic. */
static char effigy_blocks;
static void effigy_is_blind(const char *what) {
  static int is_said;
  if (!is_said && __tsan_acquire) fprintf(stderr, "effigy: ThreadSanitizer does not follow %s\n", what);
  is_said = 1;
}
void effigy_block_begin(void) {
  if (!effigy_are_several()) return;
  effigy_point(BLOCK, NULL, NULL);
  effigy_is_blind("an atomic block");
  effigy_acquire(&effigy_blocks);
  effigy_own()->is_in_block = 1;
}
void effigy_block_end(void) {
  if (!effigy_own()->is_in_block) return;
  effigy_release(&effigy_blocks);
  effigy_own()->is_in_block = 0;
}

/* threads.h, by the same functions: ThreadSanitizer knows those of pthread.h alone. */

static int effigy_in_c(int error) {
  return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}
int thrd_create(thrd_t *into, thrd_start_t start, void *argument) {
  /* An `int` is in the lower half of the register of a pointer. */
  return effigy_in_c(pthread_create(into, NULL, (void *(*)(void *))(void (*)(void))start, argument));
}
int thrd_join(thrd_t thread, int *result) {
  void *value;
  int error = pthread_join(thread, &value);
  if (error == 0 && result) *result = (int)(intptr_t)value;
  return effigy_in_c(error);
}
int thrd_detach(thrd_t thread) { return effigy_in_c(pthread_detach(thread)); }
__attribute__((noreturn)) void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
int mtx_init(mtx_t *mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if (type & mtx_recursive) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  return effigy_in_c(effigy_real_pthread_mutex_init()((pthread_mutex_t *)mutex, &attributes));
}
void mtx_destroy(mtx_t *mutex) { effigy_real_pthread_mutex_destroy()((pthread_mutex_t *)mutex); }
int mtx_lock(mtx_t *mutex) { return effigy_in_c(pthread_mutex_lock((pthread_mutex_t *)mutex)); }
int mtx_trylock(mtx_t *mutex) { return effigy_in_c(pthread_mutex_trylock((pthread_mutex_t *)mutex)); }
int mtx_timedlock(mtx_t *mutex, const struct timespec *until) {
  return effigy_in_c(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}
int mtx_unlock(mtx_t *mutex) { return effigy_in_c(pthread_mutex_unlock((pthread_mutex_t *)mutex)); }
int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  return effigy_in_c(effigy_wait_for(condition, (pthread_mutex_t *)mutex, 0));
}
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until) {
  (void)until;
  return effigy_in_c(effigy_wait_for(condition, (pthread_mutex_t *)mutex, 1));
}
int cnd_signal(cnd_t *condition) { return effigy_in_c(pthread_cond_signal((pthread_cond_t *)condition)); }
int cnd_broadcast(cnd_t *condition) { return effigy_in_c(pthread_cond_broadcast((pthread_cond_t *)condition)); }
void cnd_destroy(cnd_t *condition) { pthread_cond_destroy((pthread_cond_t *)condition); }

/* Nobody's turn depends on time. */
unsigned sleep(unsigned seconds) { return (void)seconds, 0; }
int usleep(useconds_t time) { return (void)time, 0; }
int nanosleep(const struct timespec *time, struct timespec *rest) { return (void)time, (void)rest, 0; }
int thrd_sleep(const struct timespec *time, struct timespec *rest) { return (void)time, (void)rest, 0; }
