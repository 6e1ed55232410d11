// std::terminate without an exception, and a handler of the program's own.
#include <effigy.h>
#include <exception>
#include <stdio.h>
#include <stdlib.h>

static void own() {
    printf("own\n");
    exit(3);
}

int main() {
    int n = effigy_uchar("n") & 3;
    if (n == 0) std::terminate(); //~ bug: abort
    if (n == 1) {
        std::set_terminate(own);
        throw 1;
    }
    return n;
}
