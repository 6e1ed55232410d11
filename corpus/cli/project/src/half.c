#include "half.h"

static int checked(int n) { return 12 / n; }

int half(int n) {
#ifdef FAST
    return n / 2;
#else
    return checked(n) ? n / 2 : 0;
#endif
}
