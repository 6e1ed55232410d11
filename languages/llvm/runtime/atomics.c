
/* Atomic accesses as scheduling points. Clang's instrumentation for ThreadSanitizer calls a function for each: its runtime's,
 * behind these, or with other sanitizers these alone. */

#ifdef EFFIGY_THREAD_SANITIZER
#define HOOK(name) __wrap___tsan_##name
#else
#define HOOK(name) __tsan_##name
void __tsan_init(void) {}
#endif

__attribute__((weak)) void __asan_loadN(void *at, size_t size);
__attribute__((weak)) void __asan_storeN(void *at, size_t size);
static void effigy_atomic(const volatile void *at, size_t size) {
  effigy_point(ATOMIC, NULL, NULL);
  if (__asan_loadN) __asan_loadN((void *)at, size);
}

typedef unsigned __int128 effigy_u128;

#ifdef EFFIGY_THREAD_SANITIZER
#define READ_MODIFY_WRITE(bits, type, name) \
  type __real___tsan_atomic##bits##_##name(volatile type *at, type value, int order); \
  type HOOK(atomic##bits##_##name)(volatile type *at, type value, int order) { \
    effigy_atomic(at, sizeof *at); \
    return __real___tsan_atomic##bits##_##name(at, value, order); \
  }
#define ATOMICS(bits, type) \
  type __real___tsan_atomic##bits##_load(const volatile type *at, int order); \
  type HOOK(atomic##bits##_load)(const volatile type *at, int order) { \
    effigy_atomic(at, sizeof *at); \
    return __real___tsan_atomic##bits##_load(at, order); \
  } \
  void __real___tsan_atomic##bits##_store(volatile type *at, type value, int order); \
  void HOOK(atomic##bits##_store)(volatile type *at, type value, int order) { \
    effigy_atomic(at, sizeof *at); \
    __real___tsan_atomic##bits##_store(at, value, order); \
  } \
  READ_MODIFY_WRITE(bits, type, exchange) \
  READ_MODIFY_WRITE(bits, type, fetch_add) \
  READ_MODIFY_WRITE(bits, type, fetch_sub) \
  READ_MODIFY_WRITE(bits, type, fetch_and) \
  READ_MODIFY_WRITE(bits, type, fetch_or) \
  READ_MODIFY_WRITE(bits, type, fetch_xor) \
  READ_MODIFY_WRITE(bits, type, fetch_nand) \
  type __real___tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, int order, int failed); \
  type HOOK(atomic##bits##_compare_exchange_val)(volatile type *at, type expected, type value, int order, int failed) { \
    effigy_atomic(at, sizeof *at); \
    return __real___tsan_atomic##bits##_compare_exchange_val(at, expected, value, order, failed); \
  }
void __real___tsan_atomic_thread_fence(int order);
void HOOK(atomic_thread_fence)(int order) {
  effigy_is_blind("a fence");
  __real___tsan_atomic_thread_fence(order);
}
#else
#define READ_MODIFY_WRITE(bits, type, name, expression) \
  type HOOK(atomic##bits##_##name)(volatile type *at, type value, int order) { \
    (void)order; \
    effigy_atomic(at, sizeof *at); \
    type before = *at; \
    *at = (type)(expression); \
    return before; \
  }
#define ATOMICS(bits, type) \
  type HOOK(atomic##bits##_load)(const volatile type *at, int order) { \
    (void)order; \
    effigy_atomic(at, sizeof *at); \
    return *at; \
  } \
  void HOOK(atomic##bits##_store)(volatile type *at, type value, int order) { \
    (void)order; \
    effigy_atomic(at, sizeof *at); \
    *at = value; \
  } \
  READ_MODIFY_WRITE(bits, type, exchange, value) \
  READ_MODIFY_WRITE(bits, type, fetch_add, before + value) \
  READ_MODIFY_WRITE(bits, type, fetch_sub, before - value) \
  READ_MODIFY_WRITE(bits, type, fetch_and, before & value) \
  READ_MODIFY_WRITE(bits, type, fetch_or, before | value) \
  READ_MODIFY_WRITE(bits, type, fetch_xor, before ^ value) \
  READ_MODIFY_WRITE(bits, type, fetch_nand, ~(before & value)) \
  type HOOK(atomic##bits##_compare_exchange_val)(volatile type *at, type expected, type value, int order, int failed) { \
    (void)order, (void)failed; \
    effigy_atomic(at, sizeof *at); \
    type before = *at; \
    if (before == expected) *at = value; \
    return before; \
  }
/* One thread runs at a time, and the futex orders the turns. */
void HOOK(atomic_thread_fence)(int order) { (void)order; }
void HOOK(atomic_signal_fence)(int order) { (void)order; }
#endif

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
ATOMICS(128, effigy_u128)
