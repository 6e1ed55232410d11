// Nobody catches: no destructor runs, and the report tells the type and the text.
#include <effigy.h>
#include <stdexcept>
#include <stdio.h>

struct Noisy { ~Noisy() { printf("never\n"); } };

static void f(int n) {
    Noisy noisy;
    if (n == 3)
        throw std::runtime_error("three"); //~ bug: uncaught-exception
}

int main() {
    f(effigy_int("n") & 3);
    return 0;
}
