/* How a program gets its input: the bytes of a run, in the order in which it asks.
 *
 * Knows: effigy.h and klee/klee.h, as `languages/llvm/runtime/replay.c` has them, but over bytes that have no names.
 * Beyond the last byte there are zeros. Never: what the bytes are. */

static const u8 *fz_bytes;
static u32 fz_n_bytes, fz_taken;
/* Where a single run tells which inputs were asked for, for a test that replays: lines `NAME SIZE`. */
static int fz_names = -1;

/* Leaves a run that does not count, or that is over. */
__attribute__((noreturn)) static void fz_leave(int code);

static void fz_take(void *to, size_t size, const char *name) {
  if (!size) return;
  if (fz_names >= 0) dprintf(fz_names, "%s %zu\n", name ? name : "unnamed", size);
  size_t n = size < fz_n_bytes - fz_taken ? size : fz_n_bytes - fz_taken;
  memcpy(to, fz_bytes + fz_taken, n);
  memset((u8 *)to + n, 0, size - n);
  fz_taken += (u32)n;
}

/* Where a single run says what has failed, apart from what the program writes. That the file is there shows that the
 * program was started: a sanitizer has set itself up before. */
static int fz_statement = -1;
enum { STARTS = 77 }; /* the exit code of a program that only shows that it starts */

static int fz_open_statement(void) {
  const char *path = getenv("EFFIGY_FUZZ_STATEMENT");
  int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (file >= 0) fz_statement = fcntl(file, F_DUPFD_CLOEXEC, 200), close(file);
  return path != NULL;
}

static void fz_failed(const char *file, int line, const char *class, const char *text) {
  fflush(stdout);
  if (fz_statement >= 0) dprintf(fz_statement, "%s\t%s:%d: %s: %s\n", class, file, line, class, text);
  fprintf(stderr, "effigy: %s:%d: %s: %s\n", file, line, class, text);
  fflush(stderr);
  abort();
}

/* assert(3) */
void __real___assert_fail(const char *text, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));
__attribute__((noreturn)) void __wrap___assert_fail(const char *text, const char *file, unsigned line,
                                                    const char *function) {
  if (fz_statement >= 0) dprintf(fz_statement, "assertion-failed\tAssertion `%s' failed.\n", text);
  __real___assert_fail(text, file, line, function);
}

void effigy_symbolic(void *at, size_t size, const char *name) { fz_take(at, size, name); }
unsigned long effigy_number(unsigned bytes, const char *name) {
  unsigned long value = 0;
  fz_take(&value, bytes <= 8 ? bytes : 8, name);
  return value;
}
unsigned long effigy_natural(unsigned bytes, const char *name) { return effigy_number(bytes, name); }
int effigy_choose(int n) {
  unsigned it = (unsigned)effigy_number(4, "choice");
  if (n <= 0 || it >= (unsigned)n) fz_leave(87);
  return (int)it;
}
void effigy_assume(int condition) {
  if (!condition) fz_leave(87);
}
int effigy_is_symbolic(unsigned long value) { return (void)value, 0; }
void effigy_silent_exit(void) { fz_leave(87); }
void effigy_assert_failed(const char *text, const char *file, int line) {
  fz_failed(file, line, "assertion-failed", text);
}
void klee_make_symbolic(void *at, size_t size, const char *name) { fz_take(at, size, name); }
int klee_int(const char *name) { return (int)effigy_number(4, name); }
int klee_range(int begin, int end, const char *name) {
  int it = klee_int(name);
  if (it < begin || it >= end) fz_leave(87);
  return it;
}
void klee_assume(uintptr_t condition) { effigy_assume(condition != 0); }
unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0; }
void klee_silent_exit(int status) { (void)status, effigy_silent_exit(); }
void klee_abort(void) { abort(); }
void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)suffix;
  fz_failed(file, line, "reported", message);
}
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_mark_global(void *object) { (void)object; }
void klee_warning(const char *message) { (void)message; }
void klee_warning_once(const char *message) { (void)message; }
void klee_print_expr(const char *message, ...) { (void)message; }
void klee_print_range(const char *name, int value) { (void)name, (void)value; }
void klee_stack_trace(void) {}
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_check_memory_access(const void *at, size_t size) { (void)at, (void)size; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}
uintptr_t klee_choose(uintptr_t n) {
  u64 it = effigy_number(8, "klee_choose");
  if (it >= n) fz_leave(87);
  return it;
}
unsigned klee_is_replay(void) { return 1; }

/* Other verifiers' marks; programs may define their own. */
#define MARK __attribute__((weak)) void
MARK __VERIFIER_assume(int condition) { effigy_assume(condition); }
MARK __CPROVER_assume(int condition) { effigy_assume(condition); }
MARK __ESBMC_assume(int condition) { effigy_assume(condition); }
MARK __VERIFIER_assert(int condition) {
  if (!condition) fz_failed("", 0, "assertion-failed", "an assertion");
}
MARK __CPROVER_assert(int condition, const char *text) {
  if (!condition) fz_failed("", 0, "assertion-failed", text);
}
MARK __ESBMC_assert(int condition, const char *text) { __CPROVER_assert(condition, text); }
MARK __VERIFIER_error(void) { fz_failed("", 0, "assertion-failed", "the place of an error is reached"); }
MARK reach_error(void) { fz_failed("", 0, "assertion-failed", "the place of an error is reached"); }
#define NONDET(type, name) \
  __attribute__((weak)) type __VERIFIER_nondet_##name(void) { \
    type it; \
    fz_take(&it, sizeof it, "nondet_" #name); \
    return it; \
  }
NONDET(signed char, char)
NONDET(unsigned char, uchar)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned, uint)
NONDET(long, long)
NONDET(unsigned long, ulong)
