
/* Threads of pthread.h and threads.h in their turns. threads.h is made of pthread.h's functions, its locks too: those
 * ThreadSanitizer knows. */

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
    int number = errno;
    effigy_load();
    effigy_find_atomic_functions();
    if (pthread_key_create(&effigy_end_key, effigy_end_thread) != 0) effigy_left("there is no key for the ends of threads");
    errno = number;
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

/* Nobody's turn depends on time. A program may have functions of its own with these names. */
__attribute__((weak)) unsigned sleep(unsigned seconds) { return (void)seconds, 0; }
__attribute__((weak)) int usleep(useconds_t time) { return (void)time, 0; }
__attribute__((weak)) int nanosleep(const struct timespec *time, struct timespec *rest) { return (void)time, (void)rest, 0; }
__attribute__((weak)) int thrd_sleep(const struct timespec *time, struct timespec *rest) { return (void)time, (void)rest, 0; }
