
/* Mutexes, spin locks and readers-writer locks in turns of a schedule. */

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
