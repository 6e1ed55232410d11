/* The native side of effigy.h and klee/klee.h: inputs come from the file that EFFIGY_TEST names.
 *
 * Its lines are `NAME BYTES`, both in hexadecimal, in the order in which the program asks. A program that asks for
 * something else than the test has went another way than predicted: that ends it with code 86. An assumption that
 * does not hold ends it with 87, an assertion that fails with 88 and its name on standard error. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STARTS = 77, DIVERGED = 86, ASSUMED = 87, FAILED = 88 };

/* Before anything of the program runs: a session of its own, so that a signal to its group is for itself, and an end with
 * whoever has started it. EFFIGY_STARTS asks only whether it comes so far: its sanitizer has set itself up. */
__attribute__((constructor(101))) static void effigy_begin(void) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getenv("EFFIGY_STARTS")) _exit(STARTS);
  errno = 0; /* setsid(2) fails where we lead a group already, and the program begins with none */
}

static FILE *effigy_test_file;

/* As they are without the program's fate. */
ssize_t __real_read(int file, void *to, size_t count);
ssize_t __real_pread(int file, void *to, size_t count, off_t at);
ssize_t __real_write(int file, const void *at, size_t count);
int __real_close(int file);

/* Out of the way of the program, which may look at the numbers of its descriptors. */
enum { FAR = 200 };

static FILE *effigy_open(void) {
  const char *path = getenv("EFFIGY_TEST");
  if (effigy_test_file || !path) return effigy_test_file;
  int near = open(path, O_RDONLY | O_CLOEXEC);
  int far = near < 0 ? -1 : fcntl(near, F_DUPFD_CLOEXEC, FAR);
  if (near >= 0) __real_close(near);
  if (far >= 0) effigy_test_file = fdopen(far, "r");
  return effigy_test_file;
}

/* The program's main, whose arguments are objects of their own here, as long as the texts are: so what is read or
 * written beyond one of them is found. */
int __real_main(int argc, char **argv, char **envp);

void *__real_malloc(size_t size);
static int effigy_serve(int *argc, char ***argv);
static int effigy_start(int argc, char **argv, char **envp);
extern char **environ;

/* What a program does that is held to a schedule of threads (`schedule.c`). */
__attribute__((weak)) void effigy_before_exit(void);
__attribute__((weak)) void effigy_block_begin(void);
__attribute__((weak)) void effigy_block_end(void);

int __wrap_main(int argc, char **argv, char **envp) {
  if (effigy_serve(&argc, &argv)) envp = environ;
  return effigy_start(argc, argv, envp);
}

/* LeakSanitizer takes what is left of calls that have returned for pointers. */
__attribute__((noinline, no_sanitize("address", "memory"))) static void effigy_scrub(void) {
  volatile char stack[1 << 16];
  for (size_t i = 0; i < sizeof stack; i++) stack[i] = 0;
}

/* They live as long as the program. */
static char **effigy_texts;

static int effigy_start(int argc, char **argv, char **envp) {
  char **texts = effigy_texts = __real_malloc(((size_t)argc + 1) * sizeof *texts);
  if (!texts) abort();
  for (int i = 0; i < argc; i++) {
    const char *text = i == 0 ? "program" : argv[i];
    size_t size = strlen(text) + 1;
    texts[i] = __real_malloc(size);
    if (!texts[i]) abort();
    memcpy(texts[i], text, size);
  }
  texts[argc] = NULL;
  program_invocation_name = program_invocation_short_name = texts[0];
  int code = __real_main(argc, texts, envp);
  if (effigy_before_exit) effigy_before_exit();
  if (getenv("EFFIGY_LEAKS")) effigy_scrub();
  return code;
}

/* There is one locale. */
char *setlocale(int category, const char *name) {
  (void)category;
  return !name || !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0 ? "C" : NULL;
}

/* Here a sanitizer sees what is written. */
char *fgets(char *to, int size, FILE *stream) {
  int length = 0;
  while (length < size - 1) {
    int c = getc(stream);
    if (c == EOF) break;
    to[length++] = (char)c;
    if (c == '\n') break;
  }
  if (size <= 0 || (length == 0 && size > 1)) return NULL;
  to[length] = 0;
  return to;
}

static void effigy_leave(int code, const char *what) {
  fflush(stdout);
  fprintf(stderr, "effigy: %s\n", what);
  fflush(stderr);
  _Exit(code);
}

static int effigy_digit(int c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

static void effigy_read(void *at, size_t size, const char *name) {
  /* Nothing is no input. */
  if (size == 0) return;
  if (!effigy_open()) effigy_leave(DIVERGED, "EFFIGY_TEST names no test");
  size_t length = strlen(name), index = 0;
  int c;
  while ((c = getc(effigy_test_file)) != ' ') {
    if (c == EOF) effigy_leave(DIVERGED, "the program asks for more inputs than the test has");
    int low = getc(effigy_test_file);
    int byte = effigy_digit(c) * 16 + effigy_digit(low);
    if (index < length ? byte != (unsigned char)name[index] : index == length && byte != '#')
      effigy_leave(DIVERGED, "the program asks for another input than the test has");
    index++;
  }
  if (index < length) effigy_leave(DIVERGED, "the program asks for another input than the test has");
  unsigned char *to = at;
  for (size_t i = 0; (c = getc(effigy_test_file)) != '\n' && c != EOF; i++) {
    int low = getc(effigy_test_file);
    if (i >= size) effigy_leave(DIVERGED, "an input is larger than what the program asks for");
    to[i] = (unsigned char)(effigy_digit(c) * 16 + effigy_digit(low));
  }
}

void effigy_symbolic(void *at, size_t size, const char *name) { effigy_read(at, size, name ? name : "unnamed"); }

/* The next input, if it has this name. */
static void effigy_next_if(const char *name, void *at, size_t size) {
  static int is_asked;
  /* Opening the test allocates, and looking into it reads. */
  if (is_asked) return;
  is_asked = 1;
  int number = errno;
  if (effigy_open()) {
    long here = ftell(effigy_test_file);
    int is_next = 1, c = 0;
    for (size_t i = 0; name[i] && is_next; i++) {
      c = effigy_digit(getc(effigy_test_file)) * 16;
      is_next = c + effigy_digit(getc(effigy_test_file)) == name[i];
    }
    c = is_next ? getc(effigy_test_file) : 0;
    if (c == '2') c = getc(effigy_test_file) == '3' ? ' ' : 0;
    fseek(effigy_test_file, here, SEEK_SET);
    if (c == ' ') effigy_read(at, size, name);
  }
  errno = number;
  is_asked = 0;
}

/* The malloc family, as the program itself calls it: where the next input of the test says so, a call fails. */
static int effigy_fails(void) {
  unsigned char fails = 0;
  effigy_next_if("malloc_fails", &fails, sizeof fails);
  return fails;
}

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *at, size_t size);
void *__real_reallocarray(void *at, size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **at, size_t alignment, size_t size);
/* Mappings lie between pages that cannot be read: no other mapping is next to one. */
void *__real_mmap(void *at, size_t length, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
  size_t page = 4096, pages = (length + page - 1) & ~(page - 1);
  if ((flags & MAP_FIXED) || pages < length || pages == 0)
    return __real_mmap(at, length, protection, flags, file, offset);
  char *room = __real_mmap(NULL, pages + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return MAP_FAILED;
  void *res = __real_mmap(room + page, length, protection, flags | MAP_FIXED, file, offset);
  if (res != MAP_FAILED) return res;
  int number = errno;
  munmap(room, pages + 2 * page);
  errno = number;
  return MAP_FAILED;
}
void *__wrap_mmap64(void *at, size_t length, int protection, int flags, int file, off_t offset) {
  return __wrap_mmap(at, length, protection, flags, file, offset);
}

/* AddressSanitizer gives a block of no bytes one: an access to it is made visible here. */
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *at, size_t size);
static void *effigy_block(void *at, size_t size) {
  if (at && size == 0 && __asan_poison_memory_region) __asan_poison_memory_region(at, 1);
  return at;
}

void *__wrap_malloc(size_t size) { return effigy_fails() ? NULL : effigy_block(__real_malloc(size), size); }
void *__wrap_calloc(size_t count, size_t size) {
  return effigy_fails() ? NULL : effigy_block(__real_calloc(count, size), count * size);
}
void *__wrap_realloc(void *at, size_t size) {
  /* That releases. */
  return !(at && size == 0) && effigy_fails() ? NULL : effigy_block(__real_realloc(at, size), size);
}
void *__wrap_reallocarray(void *at, size_t count, size_t size) {
  if (!(at && count * size == 0) && effigy_fails()) return NULL;
  return effigy_block(__real_reallocarray(at, count, size), count * size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return effigy_fails() ? NULL : effigy_block(__real_aligned_alloc(alignment, size), size);
}
int __wrap_posix_memalign(void **at, size_t alignment, size_t size) {
  if (effigy_fails()) return ENOMEM;
  int res = __real_posix_memalign(at, alignment, size);
  if (res == 0) effigy_block(*at, size);
  return res;
}
/* new and new[] */
__attribute__((weak)) void *__real__Znwm(size_t size);
__attribute__((weak)) void *__real__Znam(size_t size);
void *__wrap__Znwm(size_t size) { return effigy_block(__real__Znwm(size), size); }
void *__wrap__Znam(size_t size) { return effigy_block(__real__Znam(size), size); }

/* Calls of the system that fail where the test says so, or move only so many bytes; not those that fail by themselves. */
static int effigy_fate(int file, int never) {
  int32_t fate = 0;
  int number = errno, mode = fcntl(file, F_GETFL);
  errno = number;
  if (mode < 0 || (mode & O_ACCMODE) == never) return 0;
  effigy_next_if("io_result", &fate, sizeof fate);
  if (fate == -EIO || fate == -EINTR) errno = -fate;
  return fate;
}
static int effigy_failed(int fate) { return fate == -EIO || fate == -EINTR; }
static size_t effigy_count(int fate, size_t count) { return fate > 0 && (size_t)fate < count ? (size_t)fate : count; }
ssize_t __wrap_read(int file, void *to, size_t count) {
  int fate = effigy_fate(file, O_WRONLY);
  return effigy_failed(fate) ? -1 : __real_read(file, to, effigy_count(fate, count));
}
ssize_t __wrap_pread(int file, void *to, size_t count, off_t at) {
  int number = errno, has_places = lseek(file, 0, SEEK_CUR) >= 0;
  errno = number;
  int fate = has_places && at >= 0 ? effigy_fate(file, O_WRONLY) : 0;
  return effigy_failed(fate) ? -1 : __real_pread(file, to, effigy_count(fate, count), at);
}
ssize_t __wrap_pread64(int file, void *to, size_t count, off_t at) { return __wrap_pread(file, to, count, at); }
ssize_t __wrap_write(int file, const void *at, size_t count) {
  int fate = effigy_fate(file, O_RDONLY);
  return effigy_failed(fate) ? -1 : __real_write(file, at, effigy_count(fate, count));
}
int __wrap_close(int file) {
  int fate = effigy_fate(file, -1);
  /* Linux has it closed even so. */
  int res = __real_close(file);
  if (res == 0 && effigy_failed(fate)) errno = -fate;
  return effigy_failed(fate) ? -1 : res;
}

/* stat(2) and its kin: what the system says of a file is an input, but for its size, its kind and its one link. */
static int effigy_stat(int result, struct stat *to, int is_standard) {
  if (result != 0) return result;
  struct stat real = *to;
  effigy_read(to, sizeof *to, "stat");
  if (is_standard) return 0;
  to->st_nlink = 1;
  to->st_mode = S_IFREG | 0644;
  to->st_size = real.st_size;
  to->st_blksize = 4096;
  return 0;
}

int __real_stat(const char *name, struct stat *to);
int __real_lstat(const char *name, struct stat *to);
int __real_fstat(int descriptor, struct stat *to);
int __wrap_stat(const char *name, struct stat *to) { return effigy_stat(__real_stat(name, to), to, 0); }
int __wrap_lstat(const char *name, struct stat *to) { return effigy_stat(__real_lstat(name, to), to, 0); }
int __wrap_fstat(int descriptor, struct stat *to) {
  int is_file = descriptor > 2 || (descriptor == 0 && getenv("EFFIGY_STDIN_IS_FILE"));
  return effigy_stat(__real_fstat(descriptor, to), to, !is_file);
}

unsigned long effigy_number(unsigned bytes, const char *name) {
  unsigned long value = 0;
  effigy_read(&value, bytes, name);
  return value;
}

unsigned long effigy_natural(unsigned bytes, const char *name) { return effigy_number(bytes, name); }

int effigy_choose(int n) {
  (void)n;
  return (int)effigy_number(4, "choice");
}

void effigy_assume(int condition) {
  if (!condition) effigy_leave(ASSUMED, "an assumption does not hold");
}

int effigy_is_symbolic(unsigned long value) {
  (void)value;
  return 0;
}

void effigy_silent_exit(void) { effigy_leave(ASSUMED, "the path is dropped"); }

void effigy_assert_failed(const char *text, const char *file, int line) {
  fflush(stdout);
  fprintf(stderr, "effigy: %s:%d: assertion-failed: %s\n", file, line, text);
  fflush(stderr);
  _Exit(FAILED);
}

void klee_make_symbolic(void *at, size_t size, const char *name) { effigy_symbolic(at, size, name); }
int klee_int(const char *name) { return (int)effigy_number(4, name); }
int klee_range(int begin, int end, const char *name) {
  (void)begin;
  (void)end;
  return (int)effigy_number(4, name);
}
void klee_assume(uintptr_t condition) { effigy_assume(condition != 0); }
unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}
void klee_silent_exit(int status) {
  (void)status;
  effigy_silent_exit();
}
void klee_abort(void) { abort(); }
void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)suffix;
  fflush(stdout);
  fprintf(stderr, "effigy: %s:%d: reported: %s\n", file, line, message);
  fflush(stderr);
  _Exit(FAILED);
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
int32_t klee_get_value_i32(int32_t value) { return value; }
long long klee_get_value_i64(long long value) { return value; }
float klee_get_value_f(float value) { return value; }
double klee_get_value_d(double value) { return value; }
float klee_get_valuef(float value) { return value; }
double klee_get_valued(double value) { return value; }
long klee_get_valuel(long value) { return value; }
long long klee_get_valuell(long long value) { return value; }
uintptr_t klee_choose(uintptr_t n) {
  (void)n;
  return effigy_number(8, "klee_choose");
}
int klee_get_errno(void) { return errno; }
unsigned klee_is_replay(void) { return 1; }
/* Only the heap knows. */
size_t klee_get_obj_size(void *at) { return malloc_usable_size(at); }
void klee_define_fixed_object(void *at, size_t size) { (void)at, (void)size; }

/* Other verifiers' marks; programs may define their own. */
#define MARK __attribute__((weak)) void
static void effigy_check(int condition, const char *text) {
  if (!condition) effigy_assert_failed(text, "", 0);
}
MARK __VERIFIER_assume(int condition) { effigy_assume(condition); }
MARK __CPROVER_assume(int condition) { effigy_assume(condition); }
MARK __ESBMC_assume(int condition) { effigy_assume(condition); }
MARK __VERIFIER_assert(int condition) { effigy_check(condition, "an assertion"); }
MARK __CPROVER_assert(int condition, const char *text) { effigy_check(condition, text); }
MARK __ESBMC_assert(int condition, const char *text) { effigy_check(condition, text); }
MARK __VERIFIER_error(void) { effigy_check(0, "the place of an error is reached"); }
MARK reach_error(void) { effigy_check(0, "the place of an error is reached"); }
MARK __VERIFIER_atomic_begin(void) {
  if (effigy_block_begin) effigy_block_begin();
}
MARK __VERIFIER_atomic_end(void) {
  if (effigy_block_end) effigy_block_end();
}
