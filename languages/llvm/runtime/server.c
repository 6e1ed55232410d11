
/* A server that forks for each test, so that the program is loaded and its sanitizer set up once. EFFIGY_SERVER names
 * the socket where tests come from. A test is its length in 4 bytes, and texts that end with a zero: whether it is run
 * in a process that has run others (`repeat.c`), the time in milliseconds, the directory, the files for standard input,
 * output and error, the inputs, whether standard input is a file; then, each list behind its length, the arguments, the
 * variables that are not set, and those that are set with their values. The answer is the status of the child as wait(2)
 * has it, and 1 if its time was up, or 2 if the test is to be run in a process of its own. */
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int effigy_take(int from, void *to, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t count = __real_read(from, (char *)to + at, size - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    at += (size_t)count;
  }
  return 1;
}

/* The next test, and its length; the server ends with whoever asks it. */
static char *effigy_take_test(int tests, uint32_t *size) {
  if (!effigy_take(tests, size, sizeof *size)) _exit(0);
  char *text = __real_malloc((size_t)*size + 1);
  if (!text || !effigy_take(tests, text, *size)) _exit(0);
  text[*size] = 0;
  return text;
}

static int effigy_to_child;
static void effigy_repeat(int tests, char *text, uint32_t size, long milliseconds, int32_t answer[2]);

static const char *effigy_next(char **at) {
  const char *text = *at;
  *at += strlen(text) + 1;
  return text;
}

static void effigy_replace(int descriptor, const char *path, int flags) {
  int opened = open(path, flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(DIVERGED);
  __real_close(opened);
}

/* The child becomes the program on this test. */
static void effigy_become(char *at, int *argc, char ***argv) {
  if (chdir(effigy_next(&at)) != 0) _exit(DIVERGED);
  effigy_replace(0, effigy_next(&at), O_RDONLY);
  effigy_replace(1, effigy_next(&at), O_WRONLY | O_CREAT | O_TRUNC);
  effigy_replace(2, effigy_next(&at), O_WRONLY | O_CREAT | O_TRUNC);
  setenv("EFFIGY_TEST", effigy_next(&at), 1);
  if (*effigy_next(&at) == '1') setenv("EFFIGY_STDIN_IS_FILE", "1", 1);
  int count = atoi(effigy_next(&at));
  char **arguments = __real_malloc(((size_t)count + 2) * sizeof *arguments);
  if (!arguments) abort();
  arguments[0] = (char *)"program";
  for (int i = 1; i <= count; i++) arguments[i] = (char *)effigy_next(&at);
  arguments[count + 1] = NULL;
  *argc = count + 1;
  *argv = arguments;
  for (count = atoi(effigy_next(&at)); count > 0; count--) unsetenv(effigy_next(&at));
  for (count = atoi(effigy_next(&at)); count > 0; count--) {
    const char *name = effigy_next(&at);
    setenv(name, effigy_next(&at), 1);
  }
}

/* The status of a child whose group ends with it; 0 while it runs. While it is not reaped, nobody else has its number. */
static pid_t effigy_reap(pid_t child, int *status) {
  siginfo_t it = {0};
  if (waitid(P_PID, (id_t)child, &it, WEXITED | WNOWAIT | WNOHANG) != 0) return -1;
  if (it.si_pid != child) return 0;
  kill(-child, SIGKILL);
  return waitpid(child, status, 0);
}

/* The status of a child that ended, or that was ended when its time was up. */
static void effigy_wait(pid_t child, long milliseconds, const sigset_t *ended, int32_t answer[2]) {
  struct timespec now, end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += milliseconds / 1000;
  end.tv_nsec += milliseconds % 1000 * 1000000;
  for (;;) {
    int status;
    if (effigy_reap(child, &status) == child) {
      answer[0] = status;
      return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    long left = (end.tv_sec - now.tv_sec) * 1000 + (end.tv_nsec - now.tv_nsec) / 1000000;
    if (left <= 0) {
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      answer[0] = status;
      answer[1] = 1;
      return;
    }
    struct timespec rest = {left / 1000, left % 1000 * 1000000};
    sigtimedwait(ended, NULL, &rest);
  }
}

/* Serves tests, and returns in the child of each; in the server it does not return. Without a socket it does nothing. */
static int effigy_serve(int *argc, char ***argv) {
  const char *path = getenv("EFFIGY_SERVER");
  if (!path) return 0;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  unsetenv("EFFIGY_SERVER");
  /* What runs before `main` may have read what it is not given yet, or have written: then each test is a process. */
  if (lseek(0, 0, SEEK_CUR) != 0 || lseek(1, 0, SEEK_END) != 0 || lseek(2, 0, SEEK_END) != 0) _exit(DIVERGED);
  int tests = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (tests < 0 || connect(tests, (struct sockaddr *)&address, sizeof address) != 0) _exit(DIVERGED);
  sigset_t ended, before;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, &before);
  for (;;) {
    uint32_t size;
    char *text = effigy_take_test(tests, &size), *rest = text;
    int repeats = *effigy_next(&rest) == '1';
    long milliseconds = atol(effigy_next(&rest));
    int32_t answer[2] = {0, 0};
    if (repeats) {
      sigprocmask(SIG_SETMASK, &before, NULL);
      effigy_repeat(tests, rest, size - (uint32_t)(rest - text), milliseconds, answer);
      sigprocmask(SIG_BLOCK, &ended, NULL);
      free(text);
      if (__real_write(tests, answer, sizeof answer) != sizeof answer) _exit(0);
      continue;
    }
    pid_t child = fork();
    if (child < 0) _exit(DIVERGED);
    if (child == 0) {
      /* A group of its own, and an end with the server. */
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      __real_close(tests);
      if (effigy_to_child > 0) __real_close(effigy_to_child);
      sigprocmask(SIG_SETMASK, &before, NULL);
      effigy_become(rest, argc, argv);
      return 1;
    }
    free(text);
    effigy_wait(child, milliseconds, &ended, answer);
    if (__real_write(tests, answer, sizeof answer) != sizeof answer) _exit(0);
  }
}
