// What nobody has written, and what nobody has defined.
extern int sensor(void);
extern int limit;
void reach_error(void);
int main(void) {
  int start, table[3];
  if (sensor() > limit && table[1] == start + 1)
    reach_error();
  return 0;
}
