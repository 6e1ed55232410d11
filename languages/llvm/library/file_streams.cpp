// What libstdc++ has of its file streams out of line: the templates of <fstream>, as its headers have them, and the file
// below their buffers.
//
// Source: libstdc++ of GCC 12: bits/basic_file.h, fstream.

// All templates come from the headers, none is left to libstdc++.so.
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace std {

namespace {

// The mode of fopen(3), by the flags of C++17, [filebuf.members]; null for those that no file can be opened with.
const char *mode_of(ios_base::openmode flags) {
    bool is_binary = (flags & ios_base::binary) != 0;
    switch (int(flags & (ios_base::in | ios_base::out | ios_base::trunc | ios_base::app))) {
        case int(ios_base::out):
        case int(ios_base::out | ios_base::trunc): return is_binary ? "wb" : "w";
        case int(ios_base::out | ios_base::app):
        case int(ios_base::app): return is_binary ? "ab" : "a";
        case int(ios_base::in): return is_binary ? "rb" : "r";
        case int(ios_base::in | ios_base::out): return is_binary ? "r+b" : "r+";
        case int(ios_base::in | ios_base::out | ios_base::trunc): return is_binary ? "w+b" : "w+";
        case int(ios_base::in | ios_base::out | ios_base::app):
        case int(ios_base::in | ios_base::app): return is_binary ? "a+b" : "a+";
        default: return nullptr;
    }
}

} // namespace

__basic_file<char>::__basic_file(__c_lock *) throw() : _M_cfile(nullptr), _M_cfile_created(false) {}
__basic_file<char>::~__basic_file() { close(); }

__basic_file<char> *__basic_file<char>::open(const char *name, ios_base::openmode flags, int) {
    const char *mode = mode_of(flags);
    if (mode == nullptr || is_open()) return nullptr;
    _M_cfile = fopen(name, mode);
    if (_M_cfile == nullptr) return nullptr;
    _M_cfile_created = true;
    return this;
}

__basic_file<char> *__basic_file<char>::sys_open(__c_file *file, ios_base::openmode) {
    if (is_open() || file == nullptr) return nullptr;
    // What C has written comes first.
    if (fflush(file) != 0) return nullptr;
    _M_cfile = file;
    _M_cfile_created = false;
    return this;
}

__basic_file<char> *__basic_file<char>::sys_open(int descriptor, ios_base::openmode flags) throw() {
    const char *mode = mode_of(flags);
    if (mode == nullptr || is_open()) return nullptr;
    _M_cfile = fdopen(descriptor, mode);
    if (_M_cfile == nullptr) return nullptr;
    _M_cfile_created = true;
    return this;
}

__basic_file<char> *__basic_file<char>::close() {
    if (!is_open()) return nullptr;
    int failed = _M_cfile_created ? fclose(_M_cfile) : 0;
    _M_cfile = nullptr;
    return failed == 0 ? this : nullptr;
}

bool __basic_file<char>::is_open() const throw() { return _M_cfile != nullptr; }
int __basic_file<char>::fd() throw() { return fileno(_M_cfile); }
__c_file *__basic_file<char>::file() throw() { return _M_cfile; }

streamsize __basic_file<char>::xsputn(const char *from, streamsize count) {
    streamsize done = 0;
    while (done < count) {
        ssize_t written = write(fd(), from + done, count - done);
        if (written == -1 && errno == EINTR) continue;
        if (written == -1) break;
        done += written;
    }
    return done;
}

streamsize __basic_file<char>::xsputn_2(const char *first, streamsize size, const char *second, streamsize count) {
    streamsize done = xsputn(first, size);
    return done < size ? done : done + xsputn(second, count);
}

streamsize __basic_file<char>::xsgetn(char *to, streamsize count) {
    ssize_t res;
    do {
        res = read(fd(), to, count);
    } while (res == -1 && errno == EINTR);
    if (res == -1 && errno != EWOULDBLOCK) __throw_ios_failure("basic_filebuf::underflow error reading the file", errno);
    return res;
}

streamoff __basic_file<char>::seekoff(streamoff distance, ios_base::seekdir from) throw() {
    return lseek(fd(), distance, int(from));
}

int __basic_file<char>::sync() { return fflush(_M_cfile); }

// How much of the file is left; what is no file has nothing that is known.
streamsize __basic_file<char>::showmanyc() {
    off_t here = lseek(fd(), 0, SEEK_CUR);
    if (here == -1) return 0;
    off_t end = lseek(fd(), 0, SEEK_END);
    lseek(fd(), here, SEEK_SET);
    return end > here ? end - here : 0;
}

template class basic_filebuf<char>;
template class basic_ifstream<char>;
template class basic_ofstream<char>;
template class basic_fstream<char>;

} // namespace std
