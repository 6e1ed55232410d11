int sensor(int channel);
int main(void) {
  int value = sensor(3);
  if (value < 0) return 1;
  return 100 / (value + 1);
}
