//@ flags: --malloc-may-fail
//@ paths: 1
// What the C library allocates for itself does not fail.
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *s = strdup("ab");
  char c = s[1];
  free(s);
  return c == 'b' ? 0 : 1;
}
