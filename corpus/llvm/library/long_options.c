/* getopt_long: shortened names, arguments behind `=` or in the next word. */
//@ flags: --arg --si --sym-arg 2 --unset POSIXLY_CORRECT
#include <getopt.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static const struct option all[] = {{"size", required_argument, NULL, 's'}, {"quiet", no_argument, NULL, 'q'}, {0}};
  int letter, size = 1;
  while ((letter = getopt_long(argc, argv, "s:q", all, NULL)) != -1)
    if (letter == 's') size = atoi(optarg);
  return 10 / size; //~ bug: division-by-zero
}
