// An exception that leaves what must not throw.
#include <effigy.h>
#include <stdio.h>

static void f(int n) {
    if (n == 1) throw 1;
}

static void promises(int n) noexcept { f(n); } //~ bug: uncaught-exception

int main() {
    int n = effigy_int("n");
    try {
        promises(n);
    } catch (...) {
        return 1;
    }
    return 0;
}
