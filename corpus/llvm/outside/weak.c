// An undefined weak symbol is null where nothing defines it.
#include <effigy.h>
void __attribute__((weak)) hook(void);
extern int __attribute__((weak)) level;
int main(void) {
  int k = effigy_int("k");
  if (hook)
    hook();
  if (&level)
    k = level;
  else if (k == 5)
    return level; //~ bug: null-dereference
  return k == 3;
}
