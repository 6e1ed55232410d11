/* unistd.h, getopt.h: getopt and getopt_long, with operands moved behind the options as GNU does. Messages to standard error are left out. */
char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static const char *next_letter;
static int first_operand, last_operand;

/* Moves the options that came after the operands in front of them. */
static void exchange(char **argv) {
  int bottom = first_operand, middle = last_operand, top = optind;
  for (int operand = middle - 1; operand >= bottom; operand--) {
    char *moved = argv[operand];
    int to = operand + (top - middle);
    for (int at = operand; at < to; at++) argv[at] = argv[at + 1];
    argv[to] = moved;
  }
  first_operand += top - middle;
  last_operand = top;
}

struct option {
  const char *name;
  int has_argument;
  int *flag;
  int value;
};

/* The option `--NAME` or `--NAME=ARGUMENT`; a name may be shortened as long as it is clear which is meant. */
static int long_option(int argc, char **argv, int quiet, const struct option *all, int *index) {
  const char *name = argv[optind++] + 2;
  size_t length = strcspn(name, "=");
  const struct option *found = NULL;
  int ambiguous = 0;
  for (const struct option *it = all; it->name; it++) {
    if (strncmp(it->name, name, length) != 0) continue;
    if (!it->name[length]) {
      found = it;
      ambiguous = 0;
      break;
    }
    if (!found) found = it;
    else if (found->has_argument != it->has_argument || found->flag != it->flag || found->value != it->value)
      ambiguous = 1;
  }
  optopt = 0;
  if (!found || ambiguous) return '?';
  if (name[length]) {
    if (!found->has_argument) {
      optopt = found->value;
      return '?';
    }
    optarg = (char *)name + length + 1;
  } else if (found->has_argument == 1) {
    if (optind >= argc) {
      optopt = found->value;
      return quiet ? ':' : '?';
    }
    optarg = argv[optind++];
  }
  if (index) *index = (int)(found - all);
  if (!found->flag) return found->value;
  *found->flag = found->value;
  return 0;
}

static int next_option(int argc, char *const *arguments, const char *letters, const struct option *all, int *index) {
  char **argv = (char **)arguments;
  int ordered = *letters == '+', returned = *letters == '-';
  if (ordered || returned) letters++;
  int quiet = *letters == ':';
  optarg = NULL;
  if (optind == 0 || !next_letter) {
    if (optind == 0) optind = 1;
    first_operand = last_operand = optind;
    next_letter = "";
  }
  if (!*next_letter) {
    if (last_operand > optind) last_operand = optind;
    if (first_operand > optind) first_operand = optind;
    if (!ordered && !returned) {
      if (first_operand != last_operand && last_operand != optind) exchange(argv);
      else if (last_operand != optind) first_operand = optind;
      while (optind < argc && (argv[optind][0] != '-' || !argv[optind][1])) optind++;
      last_operand = optind;
    }
    if (optind != argc && strcmp(argv[optind], "--") == 0) {
      optind++;
      if (first_operand != last_operand && last_operand != optind) exchange(argv);
      else if (first_operand == last_operand) first_operand = optind;
      last_operand = argc;
      optind = argc;
    }
    if (optind >= argc) {
      if (first_operand != last_operand) optind = first_operand;
      return -1;
    }
    if (argv[optind][0] != '-' || !argv[optind][1]) {
      if (ordered) return -1;
      optarg = argv[optind++];
      return 1;
    }
    if (all && argv[optind][1] == '-') return long_option(argc, argv, quiet, all, index);
    next_letter = argv[optind] + 1;
  }
  char letter = *next_letter++;
  const char *found = letter == ':' || letter == ';' ? NULL : strchr(letters, letter);
  if (!*next_letter) optind++;
  if (!found) {
    optopt = letter;
    return '?';
  }
  if (found[1] != ':') return letter;
  if (found[2] == ':') {
    if (*next_letter) {
      optarg = (char *)next_letter;
      optind++;
    }
  } else if (*next_letter) {
    optarg = (char *)next_letter;
    optind++;
  } else if (optind == argc) {
    optopt = letter;
    letter = quiet ? ':' : '?';
  } else optarg = argv[optind++];
  next_letter = "";
  return letter;
}

int getopt(int argc, char *const *arguments, const char *letters) {
  return next_option(argc, arguments, letters, NULL, NULL);
}

int getopt_long(int argc, char *const *arguments, const char *letters, const struct option *all, int *index) {
  return next_option(argc, arguments, letters, all, index);
}
