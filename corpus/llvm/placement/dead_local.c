//@ flags: -- -fsanitize=alignment
//@ paths: 0
// A local variable of a call that is over was aligned as its type wants: that it is gone is all that is wrong.
int *numbers(void) {
  char first[3] = {1, 2, 3};
  int own[10];
  for (int i = 0; i < 10; ++i) own[i] = i + first[i % 3];
  return own;
}

int main(void) {
  int *at = numbers();
  at[2] = 100; //~ bug: use-after-scope
  return 0;
}
