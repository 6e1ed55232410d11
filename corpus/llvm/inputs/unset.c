/* A variable that is not set, and the name of the program. */
//@ flags: --unset HOME --env LEVEL=3
//@ paths: 1
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (getenv("HOME")) abort();
  if (strcmp(program_invocation_name, argv[0]) != 0) abort();
  return atoi(getenv("LEVEL"));
}
