// An exception that leaves what must not throw.
#include <effigy.h>
#include <stdio.h>

struct A { ~A() noexcept(false) { throw 2; } };

static void f(int n) {
    if (n == 1) throw 1; //~ bug: uncaught-exception
}

static void promises(int n) noexcept { f(n); }

static void unwinds(int n) {
    A a;
    if (n == 2) throw 1;
}

int main() {
    int n = effigy_int("n");
    try {
        promises(n);
    } catch (...) {
        return 1;
    }
    return 0;
}
