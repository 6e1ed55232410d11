#include "half.h"
#include <effigy.h>

#if SCALE != 3
#error "the flags of the build are missing"
#endif

int main(void) {
    int n = effigy_int("n");
    effigy_assume(0 <= n && n <= 4);
    return half(SCALE - n) == 1;
}
