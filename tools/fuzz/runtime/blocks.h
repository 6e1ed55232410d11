/* Blocks of no bytes, in the program with sanitizers: AddressSanitizer gives each a byte, and nothing would be said of an
 * access to it. `languages/llvm/runtime/replay.c` does the same.
 *
 * Knows: the allocations that a program calls, by the linker's --wrap. Never: where they come from. */

__attribute__((weak)) void __asan_poison_memory_region(const volatile void *at, size_t size);

static void *fz_empty(void *at, size_t size) {
  if (at && size == 0 && __asan_poison_memory_region) __asan_poison_memory_region(at, 1);
  return at;
}

#define ALLOCATION(result, name, parameters, arguments, size)  \
  __attribute__((weak)) result __real_##name parameters;       \
  result __wrap_##name parameters { return fz_empty(__real_##name arguments, size); }
ALLOCATION(void *, malloc, (size_t n), (n), n)
ALLOCATION(void *, calloc, (size_t count, size_t n), (count, n), count * n)
ALLOCATION(void *, realloc, (void *at, size_t n), (at, n), n)
ALLOCATION(void *, reallocarray, (void *at, size_t count, size_t n), (at, count, n), count * n)
ALLOCATION(void *, aligned_alloc, (size_t alignment, size_t n), (alignment, n), n)
/* new and new[] */
ALLOCATION(void *, _Znwm, (size_t n), (n), n)
ALLOCATION(void *, _Znam, (size_t n), (n), n)
