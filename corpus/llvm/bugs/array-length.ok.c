#include <alloca.h>
#include <effigy.h>
int main(void) {
  int n = effigy_int("n");
  effigy_assume(n > 0 && n < 10);
  int numbers[n];
  for (int i = 0; i < n; i++)
    numbers[i] = i;
  char *none = alloca(n - 1);
  if (n > 1)
    none[n - 2] = 1;
  return numbers[n - 1] == n - 1 ? 0 : 1;
}
