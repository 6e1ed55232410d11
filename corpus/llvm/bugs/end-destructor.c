// Destructors run after what the program registers, by falling priority; `_exit` runs none.
#include <assert.h>
#include <effigy.h>
#include <stdlib.h>
#include <unistd.h>
static int at;
__attribute__((destructor(200))) static void third(void) { assert(at == 3); } //~ bug: assertion-failed
__attribute__((destructor)) static void second(void) { at = at == 1 ? 2 : 0; }
static void first(void) { at = 1; }
int main(void) {
  atexit(first);
  if (effigy_bool("leave")) _exit(4);
  return 0;
}
