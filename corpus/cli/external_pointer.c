void configure(int *level);
int main(void) {
  int level;
  configure(&level);
  if (level > 3) return 1;
  return 0;
}
