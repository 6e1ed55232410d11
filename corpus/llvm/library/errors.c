//@ paths: 1
// Names of errors, in texts that are allocated.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *text, room[8];
  int n = asprintf(&text, "%s|%s|%d", strerror(ENOENT), strerror(9999), 42);
  puts(text);
  free(text);
  puts(strerror_r(EINTR, room, sizeof room));
  return n;
}
