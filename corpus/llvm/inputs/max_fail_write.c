//@ flags: --max-fail 2
//@ paths: 35
// What is printed by its descriptor comes in parts.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  const char *text = "hello\n";
  size_t size = strlen(text), at = 0;
  while (at < size) {
    ssize_t now = write(1, text + at, size - at);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) return 2;
    at += (size_t)now;
  }
  printf("done %zu\n", at);
  return 0;
}
