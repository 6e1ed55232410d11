//@ paths: 4
//@ apart: bmc does not follow an exception whose address depends on the path, where objects lie
// An exception while another is handled; which one `throw;` means; std::uncaught_exceptions; exception_ptr.
#include <effigy.h>
#include <exception>
#include <stdio.h>

struct Watch {
    ~Watch() { printf("uncaught %d\n", std::uncaught_exceptions()); }
};
struct Own : std::exception {
    int n;
    Own(int n) : n(n) {}
    Own(const Own &other) : n(other.n) { printf("copy %d\n", n); }
    ~Own() { printf("~Own %d\n", n); }
    const char *what() const noexcept override { return n == 1 ? "one" : "other"; }
};

static void inner(int how) {
    try {
        Watch watch;
        throw Own(1);
    } catch (Own &first) {
        printf("%s\n", first.what());
        try {
            if (how == 0) throw Own(2);
            if (how == 1) throw;
        } catch (const std::exception &second) {
            printf("second %s\n", second.what());
        }
        printf("first %d\n", first.n);
        if (how == 2) throw;
    }
    printf("done\n");
}

int main() {
    int how = effigy_uchar("how");
    effigy_assume(how < 4);
    std::exception_ptr kept;
    try {
        inner(how);
    } catch (...) {
        kept = std::current_exception();
    }
    if (kept) {
        try {
            std::rethrow_exception(kept);
        } catch (Own &own) {
            own.n += 10;
        }
        try {
            std::rethrow_exception(kept);
        } catch (const Own &own) {
            return own.n;
        }
    }
    printf("end %d\n", std::uncaught_exceptions());
    return how;
}
