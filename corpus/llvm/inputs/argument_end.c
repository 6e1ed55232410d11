// An argument is as long as its text: what stands behind its end is none of it.
//@ flags: --arg first -sym-arg 2
int main(int argc, char **argv) {
  const char *word = argv[2];
  if (argc != 3 || argv[3]) return 9;
  if (word[0] == '-' && word[2] == 'x') return 1; //~ bug: out-of-bounds-read
  return 0;
}
