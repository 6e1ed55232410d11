// What libstdc++ has of <system_error> out of line: the categories of errors, and the exception that has a code.
//
// Source: libstdc++ of GCC 12: system_error.

#include <cerrno>
#include <cstring>
#include <system_error>

namespace std {

inline namespace _V2 {

error_category::~error_category() {}

error_condition error_category::default_error_condition(int code) const noexcept {
    return error_condition(code, *this);
}

bool error_category::equivalent(int code, const error_condition &condition) const noexcept {
    return default_error_condition(code) == condition;
}

bool error_category::equivalent(const error_code &code, int condition) const noexcept {
    return *this == code.category() && code.value() == condition;
}

// For programs with the strings of before C++11, which are refused: they have other names.
__cow_string error_category::_M_message(int) const { abort(); }

} // namespace _V2

namespace {

class GenericCategory final : public error_category {
public:
    const char *name() const noexcept override { return "generic"; }
    string message(int code) const override { return strerror(code); }
};

class SystemCategory final : public error_category {
public:
    const char *name() const noexcept override { return "system"; }
    string message(int code) const override { return strerror(code); }
    // The numbers of `errno` mean the same everywhere.
    error_condition default_error_condition(int code) const noexcept override {

        return error_condition(code, is_portable(code) ? generic_category() : (error_category &)*this);
    }

private:
    static bool is_portable(int code) noexcept;
};

// They are never destroyed: destructors of static objects may still use them.
template <typename T> struct Forever {
    alignas(T) char bytes[sizeof(T)];
    bool exists;
    T &get() {
        if (!exists) new (bytes) T;
        exists = true;
        return *(T *)bytes;
    }
};
Forever<GenericCategory> generic;
Forever<SystemCategory> of_system;

// Whether a number is one of `std::errc`.
bool SystemCategory::is_portable(int code) noexcept {
    switch (code) {
        case 0: case EAFNOSUPPORT: case EADDRINUSE: case EADDRNOTAVAIL: case EISCONN: case E2BIG: case EDOM: case EFAULT:
        case EBADF: case EBADMSG: case EPIPE: case ECONNABORTED: case EALREADY: case ECONNREFUSED: case ECONNRESET:
        case EXDEV: case EDESTADDRREQ: case EBUSY: case ENOTEMPTY: case ENOEXEC: case EEXIST: case EFBIG:
        case ENAMETOOLONG: case ENOSYS: case EHOSTUNREACH: case EIDRM: case EILSEQ: case ENOTTY: case EINTR: case EINVAL:
        case ESPIPE: case EIO: case EISDIR: case EMSGSIZE: case ENETDOWN: case ENETRESET: case ENETUNREACH: case ENOBUFS:
        case ECHILD: case ENOLINK: case ENOLCK: case ENODATA: case ENOMSG: case ENOPROTOOPT: case ENOSPC: case ENOSR:
        case ENXIO: case ENODEV: case ENOENT: case ESRCH: case ENOTDIR: case ENOTSOCK: case ENOSTR: case ENOTCONN:
        case ENOMEM: case ENOTSUP: case ECANCELED: case EINPROGRESS: case EPERM: case EACCES: case EWOULDBLOCK:
        case EOWNERDEAD: case EPROTO: case EPROTONOSUPPORT: case EROFS: case EDEADLK: case ERANGE: case ENOTRECOVERABLE:
        case ETIME: case ETXTBSY: case ETIMEDOUT: case ENFILE: case EMFILE: case EMLINK: case ELOOP: case EOVERFLOW:
        case EPROTOTYPE:
            return true;
        default: return false;
    }
}

} // namespace

inline namespace _V2 {
const error_category &generic_category() noexcept { return generic.get(); }
const error_category &system_category() noexcept { return of_system.get(); }
} // namespace _V2

error_condition error_code::default_error_condition() const noexcept {
    return category().default_error_condition(value());
}

system_error::~system_error() noexcept {}

void __throw_system_error(int code) { throw system_error(error_code(code, generic_category())); }

} // namespace std
