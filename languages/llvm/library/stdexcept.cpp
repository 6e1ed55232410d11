// The exceptions of the C++ library that its headers only declare, and the functions by which its headers throw them.
//
// Source: libstdc++ of GCC 12, stdexcept.cc, cow-stdexcept.cc, functexcept.cc; bits/functexcept.h.

// Whether the program ends, and a text is only for the report.
extern bool effigy_ends;
extern "C" int effigy_is_symbolic(unsigned long value);
extern "C" [[noreturn]] void effigy_assertion_fails(const char *condition);

// A text that copies of an exception share. One with numbers in it is written when it is asked for.
struct effigy_text {
    long references;
    char *written;
    const char *format;
    unsigned long values[4];
};

static char *copied(const char *text, size_t length) {
    char *res = (char *)malloc(length + 1);
    memcpy(res, text, length);
    res[length] = 0;
    return res;
}

static effigy_text *text_of(const char *text, size_t length) {
    auto res = (effigy_text *)malloc(sizeof(effigy_text));
    *res = {1, copied(text, length), NULL, {0, 0, 0, 0}};
    return res;
}

static const char *read(effigy_text *it) {
    if (it->written != NULL) return it->written;
    size_t length = 0;
    char text[512];
    int next = 0;
    for (const char *at = it->format; *at != 0 && length < 400; at++) {
        if (at[0] == '%' && at[1] == 's') {
            for (const char *from = (const char *)it->values[next++]; *from != 0 && length < 400; from++)
                text[length++] = *from;
            at++;
        } else if (at[0] == '%' && at[1] == 'z' && at[2] == 'u') {
            unsigned long value = it->values[next++];
            if (effigy_ends && effigy_is_symbolic(value))
                text[length++] = '?';
            else
                length += snprintf(text + length, 24, "%lu", value);
            at += 2;
        } else {
            if (at[0] == '%' && at[1] == '%') at++;
            text[length++] = *at;
        }
    }
    it->written = copied(text, length);
    return it->written;
}

namespace std {

class exception {
public:
    exception() noexcept {}
    virtual ~exception() noexcept;
    virtual const char *what() const noexcept;
};

// What this room needs of std::string, whose names it must have.
template <typename> struct char_traits;
template <typename> class allocator;
inline namespace __cxx11 {
template <typename Char, typename Traits, typename Allocator> class basic_string {
public:
    const Char *data;
    size_t length;
};
}
using string = basic_string<char, char_traits<char>, allocator<char>>;

#define WITH_TEXT(name) \
    class name : public exception { \
        effigy_text *text; \
    public: \
        explicit name(const string &text); \
        explicit name(const char *text); \
        explicit name(effigy_text *text) : text(text) {} \
        name(const name &other) noexcept; \
        name(name &&other) noexcept; \
        name &operator=(const name &other) noexcept; \
        name &operator=(name &&other) noexcept; \
        ~name() noexcept override; \
        const char *what() const noexcept override; \
    }; \
    name::name(const string &it) : text(text_of(it.data, it.length)) {} \
    name::name(const char *it) : text(text_of(it, strlen(it))) {} \
    name::name(const name &other) noexcept : exception(other), text(other.text) { text->references++; } \
    name::name(name &&other) noexcept : exception(other), text(other.text) { text->references++; } \
    name &name::operator=(const name &other) noexcept { \
        other.text->references++; \
        drop(text); \
        text = other.text; \
        return *this; \
    } \
    name &name::operator=(name &&other) noexcept { return *this = (const name &)other; } \
    name::~name() noexcept { drop(text); } \
    const char *name::what() const noexcept { return read(text); }

#define DERIVED(name, base) \
    class name : public base { \
    public: \
        explicit name(const string &text); \
        explicit name(const char *text); \
        explicit name(effigy_text *text) : base(text) {} \
        ~name() noexcept override; \
    }; \
    name::name(const string &text) : base(text) {} \
    name::name(const char *text) : base(text) {} \
    name::~name() noexcept {} \
    void __throw_##name(const char *text) { throw name(text); }

static void drop(effigy_text *it) {
    if (--it->references > 0) return;
    if (it->written != NULL) free(it->written);
    free(it);
}

WITH_TEXT(logic_error)
WITH_TEXT(runtime_error)
void __throw_logic_error(const char *text) { throw logic_error(text); }
void __throw_runtime_error(const char *text) { throw runtime_error(text); }
DERIVED(domain_error, logic_error)
DERIVED(invalid_argument, logic_error)
DERIVED(length_error, logic_error)
DERIVED(out_of_range, logic_error)
DERIVED(range_error, runtime_error)
DERIVED(overflow_error, runtime_error)
DERIVED(underflow_error, runtime_error)

void __throw_out_of_range_fmt(const char *format, ...) {
    auto text = (effigy_text *)malloc(sizeof(effigy_text));
    *text = {1, NULL, format, {0, 0, 0, 0}};
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int next = 0;
    for (const char *at = format; *at != 0 && next < 4; at++)
        if (at[0] == '%' && at[1] == '%')
            at++;
        else if (at[0] == '%')
            text->values[next++] = __builtin_va_arg(list, unsigned long);
    __builtin_va_end(list);
    throw out_of_range(text);
}

class bad_function_call : public exception {
public:
    bad_function_call() noexcept {}
    ~bad_function_call() noexcept override;
    const char *what() const noexcept override;
};
bad_function_call::~bad_function_call() noexcept {}
const char *bad_function_call::what() const noexcept { return "bad_function_call"; }
void __throw_bad_function_call() { throw bad_function_call(); }

void __glibcxx_assert_fail(const char *, int, const char *, const char *condition) noexcept {
    effigy_assertion_fails(condition == NULL ? "unreachable" : condition);
}

} // namespace std
