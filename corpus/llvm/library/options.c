//@ paths: 1
// getopt moves operands behind options.
#include <stdio.h>
#include <unistd.h>
int main(void) {
  char *argv[] = {"tool", "file", "-v", "-ovalue", "other", "-x", "--", "-n", 0};
  int c, argc = 8;
  opterr = 0;
  while ((c = getopt(argc, argv, "vo:")) != -1) printf("%c %s\n", c, optarg ? optarg : "none");
  while (optind < argc) puts(argv[optind++]);
  return optopt;
}
