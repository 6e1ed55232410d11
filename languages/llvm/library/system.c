/* What of unistd.h and fcntl.h only advises, or is the same on every machine; error.h. */
extern void *stdout, *stderr;
int fflush(void *stream);
int vfprintf(void *stream, const char *format, va_list list);
void exit(int code) __attribute__((noreturn));

unsigned error_message_count;

int getpagesize(void) { return 4096; }

int posix_fadvise(int descriptor, long offset, long length, int advice) {
  (void)descriptor, (void)offset, (void)length, (void)advice;
  return 0;
}

/* The program's name and the text of the error number, on standard error, are left out. */
void error(int status, int number, const char *format, ...) {
  (void)number;
  va_list list;
  fflush(stdout);
  __builtin_va_start(list, format);
  vfprintf(stderr, format, list);
  __builtin_va_end(list);
  error_message_count++;
  if (status) exit(status);
}
