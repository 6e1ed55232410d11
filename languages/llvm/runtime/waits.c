
/* Condition variables, barriers, semaphores and what is initialised once, in turns of a schedule. */

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
