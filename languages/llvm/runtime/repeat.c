
/* A child of the server that runs one test after the other: no fork, no page that is copied. For programs of which all
 * that a run may change is known and put back (`driver/repeats.rs` says which): their variables, standard streams, `errno`.
 * What it says is believed of tests that end as predicted; of others, a process of its own says what happens. */
#include <poll.h>
#include <setjmp.h>
#include <stdio_ext.h>
#include <sys/prctl.h>

/* The variables of the program lie between these; the runtime's are elsewhere. */
extern char effigy_data_begin[] __attribute__((weak)), effigy_data_end[] __attribute__((weak));
extern char effigy_bss_begin[] __attribute__((weak)), effigy_bss_end[] __attribute__((weak));

/* What was allocated and is not freed adds up: after so many tests there is a new child. */
enum { MOST_REPEATS = 1000 };

static pid_t effigy_child;
static int effigy_repeats;

static jmp_buf effigy_ended;
static int effigy_is_repeating, effigy_code;

__attribute__((noreturn)) void __real_exit(int code);
__attribute__((noreturn)) void __wrap_exit(int code) {
  if (effigy_before_exit) effigy_before_exit();
  if (!effigy_is_repeating) __real_exit(code);
  effigy_code = code;
  longjmp(effigy_ended, 1);
}

/* The red zones between variables are copied, too. */
__attribute__((no_sanitize("address", "undefined", "memory"))) static void effigy_copy(char *to, const char *from, size_t size) {
  for (size_t i = 0; i < size / 8; i++) ((uint64_t *)to)[i] = ((const uint64_t *)from)[i];
}

/* One test after the other, for the server at the other end. */
__attribute__((noreturn)) static void effigy_run_all(int tests) {
  size_t data = (size_t)(effigy_data_end - effigy_data_begin), bss = (size_t)(effigy_bss_end - effigy_bss_begin);
  char *data_before = __real_malloc(data), *bss_before = __real_malloc(bss);
  if (!data_before || !bss_before) _exit(DIVERGED);
  effigy_copy(data_before, effigy_data_begin, data);
  effigy_copy(bss_before, effigy_bss_begin, bss);
  for (;;) {
    uint32_t size;
    char *text = effigy_take_test(tests, &size);
    effigy_copy(effigy_data_begin, data_before, data);
    effigy_copy(effigy_bss_begin, bss_before, bss);
    if (effigy_test_file) fclose(effigy_test_file);
    effigy_test_file = NULL;
    int argc;
    char **argv;
    effigy_become(text, &argc, &argv);
    __fpurge(stdin);
    clearerr(stdin);
    errno = 0;
    effigy_is_repeating = 1;
    if (setjmp(effigy_ended) == 0) effigy_code = effigy_start(argc, argv, environ);
    effigy_is_repeating = 0;
    if (fflush(stdout) != 0) _exit(DIVERGED);
    int32_t code = effigy_code;
    if (__real_write(tests, &code, sizeof code) != sizeof code) _exit(0);
    free(text);
  }
}

static void effigy_end_child(void) {
  if (effigy_child <= 0) return;
  __real_close(effigy_to_child);
  kill(effigy_child, SIGKILL);
  waitpid(effigy_child, NULL, 0);
  effigy_child = effigy_to_child = 0;
}

/* A new child; no other process has the socket of the tests. */
static int effigy_new_child(int tests) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 0;
  effigy_child = fork();
  if (effigy_child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    __real_close(tests);
    __real_close(ends[0]);
    /* Out of the way of the program. */
    int far = fcntl(ends[1], F_DUPFD_CLOEXEC, FAR + 1);
    __real_close(ends[1]);
    effigy_run_all(far);
  }
  __real_close(ends[1]);
  if (effigy_child < 0) {
    __real_close(ends[0]);
    return 0;
  }
  effigy_to_child = ends[0];
  effigy_repeats = 0;
  return 1;
}

/* Runs a test in the child that repeats. There is no answer if that has died of it, or has said something. */
static void effigy_repeat(int tests, char *text, uint32_t size, long milliseconds, int32_t answer[2]) {
  answer[1] = 2;
  if (effigy_repeats >= MOST_REPEATS) effigy_end_child();
  if (effigy_child <= 0 && !effigy_new_child(tests)) return;
  effigy_repeats++;
  int32_t code = 0;
  struct pollfd said = {effigy_to_child, POLLIN, 0};
  int is_run = send(effigy_to_child, &size, sizeof size, MSG_NOSIGNAL) == sizeof size &&
               send(effigy_to_child, text, size, MSG_NOSIGNAL) == (ssize_t)size &&
               poll(&said, 1, (int)milliseconds) == 1 && effigy_take(effigy_to_child, &code, sizeof code);
  char *errors = text;
  for (int i = 0; i < 3; i++) effigy_next(&errors);
  struct stat told;
  if (!is_run || __real_stat(errors, &told) != 0 || told.st_size != 0) {
    effigy_end_child();
    return;
  }
  answer[0] = (code & 0xff) << 8;
  answer[1] = 0;
}
