//@ paths: 2
// What is thrown depends on an input, and so does what is asked of it.
#include <effigy.h>

struct Code { int n; };

static int f(int n) {
    if (n > 100) throw Code{n};
    return n;
}

int main() {
    int n = effigy_int("n");
    try {
        f(n);
    } catch (Code code) {
        return code.n % 2 == 0 ? 2 : 3;
    }
    return 1;
}
