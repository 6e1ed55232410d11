#include <klee/klee.h>
int main(void) {
  int n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n < 5);
  if (n > 5) klee_report_error(__FILE__, __LINE__, "n is large", "user.err");
  return 0;
}
