// A destructor that throws while an exception is on its way, and one that throws where none is.
#include <effigy.h>
#include <stdio.h>

struct A { ~A() noexcept(false) { throw 2; } };

static void f(int n) {
    A a;
    if (n == 2) throw 1;
} //~ bug: uncaught-exception

int main() {
    int n = effigy_int("n");
    try {
        f(n);
    } catch (int it) {
        return it;
    }
    return 0;
}
