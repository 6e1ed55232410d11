// What -D_FORTIFY_SOURCE makes of the functions: they know how much room there is.
#include <effigy.h>
#include <stdio.h>
#include <string.h>
void *__memcpy_chk(void *, const void *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t);
int __sprintf_chk(char *, int, size_t, const char *, ...);
struct two { char first[4], second[12]; };
int main(void) {
  struct two it = {"abc", ""};
  switch (effigy_choose(4)) {
    case 0: __strcat_chk(it.second, "twelve", 12); return it.second[5];
    case 1: __memcpy_chk(it.first, "12345678", 8, 4); return 1; //~ bug: out-of-bounds-write
    case 2: __strcat_chk(it.first, "d", 4); return 2; //~ bug: out-of-bounds-write
    default: return __sprintf_chk(it.second, 1, 12, "%d", 7);
  }
}
