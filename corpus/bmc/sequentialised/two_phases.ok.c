// A commit in two phases among three: all commit, or none does.
//@ verdict: correct
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int vote[3], done[3], all = 1;
  for (int i = 0; i < 3; ++i) {
    vote[i] = __VERIFIER_nondet_bool();
    all = all && vote[i];
  }
  for (int i = 0; i < 3; ++i) {
    int late = __VERIFIER_nondet_bool();
    done[i] = late ? all : all && vote[i];
  }
  for (int i = 1; i < 3; ++i) assert(done[i] == done[0]);
  return 0;
}
