// What libstdc++ has of its streams and locales out of line: the templates, as its own headers have them, and what those
// headers only declare. The only locale is "C" with the facets that a program puts into copies of it; std::cout and its
// kin write to and read from the streams of C, as they do natively until `sync_with_stdio(false)`.
//
// Source: libstdc++ of GCC 12: bits/ios_base.h, bits/locale_classes.h, bits/locale_facets.h, istream, streambuf.

// All templates come from the headers, none is left to libstdc++.so.
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ext/stdio_sync_filebuf.h>
#include <istream>
#include <ostream>
#include <sstream>
#include <system_error>
#include <bits/codecvt.h>

namespace std {

// What is installed below a facet's `id` is a facet of its class: a program cannot put anything else there. So the type
// need not be asked for each time.
#define DIRECT(facet_type) \
    template <> const facet_type &use_facet<facet_type>(const locale &it) { \
        size_t index = facet_type::id._M_id(); \
        if (index >= it._M_impl->_M_facets_size || it._M_impl->_M_facets[index] == nullptr) __throw_bad_cast(); \
        return static_cast<const facet_type &>(*it._M_impl->_M_facets[index]); \
    } \
    template <> bool has_facet<facet_type>(const locale &it) throw() { \
        size_t index = facet_type::id._M_id(); \
        return index < it._M_impl->_M_facets_size && it._M_impl->_M_facets[index] != nullptr; \
    }

using codecvt_of_char = codecvt<char, char, mbstate_t>;
DIRECT(ctype<char>)
DIRECT(num_put<char>)
DIRECT(num_get<char>)
DIRECT(numpunct<char>)
DIRECT(collate<char>)
DIRECT(codecvt_of_char)

// Facets.

_Atomic_word locale::id::_S_refcount;

size_t locale::id::_M_id() const throw() {
    if (_M_index == 0) _M_index = ++_S_refcount;
    return _M_index - 1;
}

const char locale::facet::_S_c_name[2] = "C";
locale::facet::~facet() {}
__c_locale locale::facet::_S_get_c_locale() { return nullptr; }
const char *locale::facet::_S_get_c_name() throw() { return _S_c_name; }
__c_locale locale::facet::_S_clone_c_locale(__c_locale &it) throw() { return it; }
void locale::facet::_S_destroy_c_locale(__c_locale &it) { it = nullptr; }

void locale::facet::_S_create_c_locale(__c_locale &it, const char *name, __c_locale) {
    if (strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
        __throw_runtime_error("locale::facet::_S_create_c_locale name not valid");
    it = nullptr;
}

locale::id ctype<char>::id;

ctype<char>::ctype(const mask *table, bool owned, size_t references)
    : facet(references), _M_c_locale_ctype(nullptr), _M_del(table != nullptr && owned), _M_toupper(nullptr),
      _M_tolower(nullptr), _M_table(table != nullptr ? table : classic_table()), _M_widen_ok(0), _M_narrow_ok(0) {
    memset(_M_widen, 0, sizeof _M_widen);
    memset(_M_narrow, 0, sizeof _M_narrow);
}

ctype<char>::ctype(__c_locale, const mask *table, bool owned, size_t references) : ctype(table, owned, references) {}

ctype<char>::~ctype() {
    if (_M_del) delete[] table();
}

extern "C" const unsigned short **__ctype_b_loc();
const ctype_base::mask *ctype<char>::classic_table() throw() { return *__ctype_b_loc(); }

char ctype<char>::do_toupper(char it) const { return it >= 'a' && it <= 'z' ? it - 'a' + 'A' : it; }
char ctype<char>::do_tolower(char it) const { return it >= 'A' && it <= 'Z' ? it - 'A' + 'a' : it; }

const char *ctype<char>::do_toupper(char *first, const char *last) const {
    for (; first < last; first++) *first = ctype<char>::do_toupper(*first);
    return last;
}

const char *ctype<char>::do_tolower(char *first, const char *last) const {
    for (; first < last; first++) *first = ctype<char>::do_tolower(*first);
    return last;
}

// The bytes 0 to 255.
#define FOUR(n) (char)(n), (char)((n) + 1), (char)((n) + 2), (char)((n) + 3)
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)
static const char all_bytes[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};

void ctype<char>::_M_widen_init() const {
    char widened[256];
    do_widen(all_bytes, all_bytes + 256, widened);
    _M_widen_ok = memcmp(all_bytes, widened, 256) == 0 ? 1 : 2;
    memcpy(_M_widen, widened, 256);
}

void ctype<char>::_M_narrow_init() const {
    char narrowed[256];
    do_narrow(all_bytes, all_bytes + 256, 0, narrowed);
    memcpy(_M_narrow, narrowed, 256);
    // Zero is narrowed to what is given for characters that cannot be.
    char other;
    do_narrow(all_bytes, all_bytes + 1, 1, &other);
    _M_narrow_ok = memcmp(all_bytes, narrowed, 256) == 0 && other == 0 ? 1 : 2;
}

template <> void numpunct<char>::_M_initialize_numpunct(__c_locale) {
    if (_M_data == nullptr) _M_data = new __numpunct_cache<char>;
    _M_data->_M_grouping = "";
    _M_data->_M_grouping_size = 0;
    _M_data->_M_use_grouping = false;
    _M_data->_M_decimal_point = '.';
    _M_data->_M_thousands_sep = ',';
    memcpy(_M_data->_M_atoms_out, __num_base::_S_atoms_out, __num_base::_S_oend);
    memcpy(_M_data->_M_atoms_in, __num_base::_S_atoms_in, __num_base::_S_iend);
    _M_data->_M_truename = "true";
    _M_data->_M_truename_size = 4;
    _M_data->_M_falsename = "false";
    _M_data->_M_falsename_size = 5;
}

template <> numpunct<char>::~numpunct() { delete _M_data; }

const char *__num_base::_S_atoms_out = "-+xX0123456789abcdef0123456789ABCDEF";
const char *__num_base::_S_atoms_in = "-+xX0123456789abcdefABCDEF";

// The directive of printf that writes a number as `io` says. Natively a precision follows it, but not for "%a".
void __num_base::_S_format_float(const ios_base &io, char *format, char modifier) throw() {
    ios_base::fmtflags flags = io.flags(), kind = flags & ios_base::floatfield;
    bool upper = (flags & ios_base::uppercase) != 0;
    *format++ = '%';
    if (flags & ios_base::showpos) *format++ = '+';
    if (flags & ios_base::showpoint) *format++ = '#';
    if (kind != (ios_base::fixed | ios_base::scientific)) {
        *format++ = '.';
        *format++ = '*';
    }
    if (modifier != 0) *format++ = modifier;
    if (kind == ios_base::fixed)
        *format++ = 'f';
    else if (kind == ios_base::scientific)
        *format++ = upper ? 'E' : 'e';
    else if (kind == (ios_base::fixed | ios_base::scientific))
        *format++ = upper ? 'A' : 'a';
    else
        *format++ = upper ? 'G' : 'g';
    *format = 0;
}

bool __verify_grouping(const char *grouping, size_t size, const string &found) throw() {
    // `found` has the sizes of the groups from left to right, `grouping` those that should be, from right to left.
    size_t last = found.size() - 1, most = min(last, size - 1), at = last;
    bool same = true;
    for (size_t next = 0; next < most && same; next++) same = found[at--] == grouping[next];
    for (; at > 0 && same; at--) same = found[at] == grouping[most];
    if ((signed char)grouping[most] > 0 && grouping[most] != __gnu_cxx::__numeric_traits<char>::__max)
        same = same && found[0] <= grouping[most];
    return same;
}

// What does not fit is the largest number, and the reading has failed.
#define CONVERT(type, function, huge, most) \
    template <> void __convert_to_v(const char *text, type &value, ios_base::iostate &state, const __c_locale &) throw() { \
        char *end; \
        value = function(text, &end); \
        if (end == text || *end != 0) { \
            value = 0; \
            state = ios_base::failbit; \
        } else if (value == huge) { \
            value = most; \
            state = ios_base::failbit; \
        } else if (value == -huge) { \
            value = -most; \
            state = ios_base::failbit; \
        } \
    }
CONVERT(float, strtof, __builtin_huge_valf(), __FLT_MAX__)
CONVERT(double, strtod, __builtin_huge_val(), __DBL_MAX__)
CONVERT(long double, strtold, __builtin_huge_vall(), __LDBL_MAX__)

template <> int collate<char>::_M_compare(const char *a, const char *b) const throw() {
    int res = strcmp(a, b);
    return (res > 0) - (res < 0);
}

template <> size_t collate<char>::_M_transform(char *to, const char *from, size_t size) const throw() {
    size_t length = strlen(from);
    if (size > length)
        memcpy(to, from, length + 1);
    else if (size > 0)
        memcpy(to, from, size);
    return length;
}

locale::id codecvt<char, char, mbstate_t>::id;
codecvt<char, char, mbstate_t>::codecvt(size_t references)
    : __codecvt_abstract_base<char, char, mbstate_t>(references), _M_c_locale_codecvt(nullptr) {}
codecvt<char, char, mbstate_t>::codecvt(__c_locale, size_t references) : codecvt(references) {}
codecvt<char, char, mbstate_t>::~codecvt() {}
codecvt_base::result codecvt<char, char, mbstate_t>::do_out(
    mbstate_t &, const char *from, const char *, const char *&next, char *to, char *, char *&end) const {
    next = from;
    end = to;
    return noconv;
}
codecvt_base::result codecvt<char, char, mbstate_t>::do_in(
    mbstate_t &, const char *from, const char *, const char *&next, char *to, char *, char *&end) const {
    next = from;
    end = to;
    return noconv;
}
codecvt_base::result codecvt<char, char, mbstate_t>::do_unshift(mbstate_t &, char *to, char *, char *&end) const {
    end = to;
    return noconv;
}
int codecvt<char, char, mbstate_t>::do_encoding() const throw() { return 1; }
bool codecvt<char, char, mbstate_t>::do_always_noconv() const throw() { return true; }
int codecvt<char, char, mbstate_t>::do_length(mbstate_t &, const char *from, const char *end, size_t most) const {
    return min(most, size_t(end - from));
}
int codecvt<char, char, mbstate_t>::do_max_length() const throw() { return 1; }

// The streams of C, as buffers. They are never destroyed: destructors of static objects may still write.
template <typename T> struct Forever {
    alignas(T) char bytes[sizeof(T)];
    T *operator&() { return (T *)bytes; }
};
using StdioBuffer = __gnu_cxx::stdio_sync_filebuf<char>;
static Forever<StdioBuffer> out_buffer, in_buffer, err_buffer;

// Numbers are written by the printf of this machine, whose digits stay symbolic. What goes to a stream of C is printed
// there: how many digits it has decides nothing then.
class NumberWriter : public num_put<char> {
public:
    explicit NumberWriter(size_t references) : num_put<char>(references) {}

protected:
    iter_type do_put(iter_type out, ios_base &io, char fill, long value) const override {
        if (is_grouped(io)) return num_put<char>::do_put(out, io, fill, value);
        return number(out, io, fill, value, "l", true, value != 0);
    }
    iter_type do_put(iter_type out, ios_base &io, char fill, unsigned long value) const override {
        if (is_grouped(io)) return num_put<char>::do_put(out, io, fill, value);
        return number(out, io, fill, value, "l", false, value != 0);
    }
    iter_type do_put(iter_type out, ios_base &io, char fill, long long value) const override {
        if (is_grouped(io)) return num_put<char>::do_put(out, io, fill, value);
        return number(out, io, fill, value, "ll", true, value != 0);
    }
    iter_type do_put(iter_type out, ios_base &io, char fill, unsigned long long value) const override {
        if (is_grouped(io)) return num_put<char>::do_put(out, io, fill, value);
        return number(out, io, fill, value, "ll", false, value != 0);
    }
    iter_type do_put(iter_type out, ios_base &io, char fill, bool value) const override {
        if (!(io.flags() & ios_base::boolalpha)) return do_put(out, io, fill, long(value));
        if (is_grouped(io)) return num_put<char>::do_put(out, io, fill, value);
        bool left = (io.flags() & ios_base::adjustfield) == ios_base::left;
        return padded(out, io, fill, value ? "true" : "false", value ? 4 : 5, left ? 0 : -1);
    }
    iter_type do_put(iter_type out, ios_base &io, char fill, double value) const override {
        if (is_grouped(io)) return num_put<char>::do_put(out, io, fill, value);
        return real(out, io, fill, value, 0);
    }
    iter_type do_put(iter_type out, ios_base &io, char fill, long double value) const override {
        if (is_grouped(io)) return num_put<char>::do_put(out, io, fill, value);
        return real(out, io, fill, value, 'L');
    }
    iter_type do_put(iter_type out, ios_base &io, char fill, const void *value) const override {
        if (is_grouped(io)) return num_put<char>::do_put(out, io, fill, value);
        ios_base::fmtflags flags = io.flags();
        io.flags((flags & ~(ios_base::basefield | ios_base::uppercase)) | ios_base::hex | ios_base::showbase);
        out = number(out, io, fill, (unsigned long)value, "l", false, value != nullptr);
        io.flags(flags);
        return out;
    }

private:
    // Whether the locale has a facet of the program's that says how numbers are written.
    static bool is_grouped(const ios_base &io);

    // The stream of C to which `out` writes, if it does.
    static FILE *stdio_of(const iter_type &out) {
        // The buffer is all that such an iterator has.
        static_assert(sizeof(out) == 2 * sizeof(streambuf *), "a buffer and whether it has failed");
        streambuf *buffer;
        memcpy(&buffer, &out, sizeof buffer);
        if (out.failed()) return nullptr;
        if (buffer == &out_buffer) return stdout;
        return buffer == &err_buffer ? stderr : nullptr;
    }

    // Writes `text`, with what fills the field before the character number `inner`, -1: where the flags say.
    static iter_type padded(iter_type out, ios_base &io, char fill, const char *text, long length, long inner) {
        long missing = io.width() - length;
        io.width(0);
        if (missing <= 0) return out._M_put(text, length);
        ios_base::fmtflags adjust = io.flags() & ios_base::adjustfield;
        long before = adjust == ios_base::left ? length : adjust == ios_base::internal && inner >= 0 ? inner : 0;
        char *whole = new char[length + missing];
        memcpy(whole, text, before);
        memset(whole + before, fill, missing);
        memcpy(whole + before + missing, text + before, length - before);
        out = out._M_put(whole, length + missing);
        delete[] whole;
        return out;
    }

    template <typename Number>
    static iter_type number(
        iter_type out, ios_base &io, char fill, Number value, const char *length, bool has_sign, bool is_not_zero) {
        ios_base::fmtflags flags = io.flags(), base = flags & ios_base::basefield;
        bool is_decimal = base != ios_base::oct && base != ios_base::hex;
        bool upper = (flags & ios_base::uppercase) != 0;
        char format[8], *to = format;
        *to++ = '%';
        if (is_decimal && has_sign && (flags & ios_base::showpos)) *to++ = '+';
        if (!is_decimal && (flags & ios_base::showbase)) *to++ = '#';
        for (; *length != 0; length++) *to++ = *length;
        *to++ = base == ios_base::oct ? 'o' : base == ios_base::hex ? (upper ? 'X' : 'x') : has_sign ? 'd' : 'u';
        *to = 0;
        if (io.width() == 0)
            if (FILE *file = stdio_of(out)) {
                fprintf(file, format, value);
                return out;
            }
        char text[32];
        long written = snprintf(text, sizeof text, format, value);
        long inner = 0;
        if (text[0] == '-' || text[0] == '+')
            inner = 1;
        else if (base == ios_base::hex && (flags & ios_base::showbase) && is_not_zero)
            inner = 2;
        return padded(out, io, fill, text, written, inner);
    }

    template <typename Number>
    static iter_type real(iter_type out, ios_base &io, char fill, Number value, char modifier) {
        char format[16];
        __num_base::_S_format_float(io, format, modifier);
        bool is_hex = (io.flags() & ios_base::floatfield) == (ios_base::fixed | ios_base::scientific);
        int precision = io.precision() < 0 ? 6 : io.precision();
        char small[64], *text = small;
        auto write = [&](size_t size) {
            return long(is_hex ? snprintf(text, size, format, value) : snprintf(text, size, format, precision, value));
        };
        long length = write(sizeof small);
        if (length >= (long)sizeof small) {
            text = new char[length + 1];
            write(length + 1);
        }
        long inner = text[0] == '-' || text[0] == '+' ? 1 : 0;
        if (inner == 0 && text[0] == '0' && length > 1 && (text[1] == 'x' || text[1] == 'X')) inner = 2;
        out = padded(out, io, fill, text, length, inner);
        if (text != small) delete[] text;
        return out;
    }
};

// Locales.

static Forever<locale> classic_locale;
static Forever<locale::_Impl> classic_facets;
static Forever<__numpunct_cache<char>> classic_numbers;
static Forever<NumberWriter> number_writer;
static Forever<ctype<char>> classic_ctype;
static Forever<num_get<char>> number_reader;
static Forever<numpunct<char>> classic_numpunct;
static Forever<collate<char>> classic_collate;
static Forever<codecvt_of_char> classic_codecvt;

// How many facets a locale has at first. There are more where a program has facets of its own.
static const size_t FACETS = 16;

locale::_Impl *locale::_S_classic;
locale::_Impl *locale::_S_global;
static const locale::facet *classic_table[FACETS], *classic_caches[FACETS];
static char *classic_names[12];
static char classic_name[] = "C";

bool NumberWriter::is_grouped(const ios_base &io) {
    const locale &it = io._M_getloc();
    return &use_facet<numpunct<char>>(it) != &classic_numpunct;
}

locale::_Impl::_Impl(size_t references) throw()
    : _M_refcount(references), _M_facets(classic_table), _M_facets_size(FACETS), _M_caches(classic_caches),
      _M_names(classic_names) {
    _M_names[0] = classic_name;
    _M_init_facet(new (&classic_ctype) std::ctype<char>(nullptr, false, 1));
    _M_init_facet(new (&classic_codecvt) codecvt<char, char, mbstate_t>(1));
    auto numbers = new (&classic_numbers) __numpunct_cache<char>(1);
    _M_init_facet(new (&classic_numpunct) numpunct<char>(numbers, 1));
    _M_init_facet(new (&number_reader) num_get<char>(1));
    _M_init_facet((num_put<char> *)new (&number_writer) NumberWriter(1));
    _M_init_facet(new (&classic_collate) std::collate<char>(1));
    _M_caches[numpunct<char>::id._M_id()] = numbers;
}

locale::_Impl::_Impl(const _Impl &other, size_t references)
    : _M_refcount(references), _M_facets(nullptr), _M_facets_size(other._M_facets_size), _M_caches(nullptr),
      _M_names(nullptr) {
    _M_facets = new const facet *[_M_facets_size];
    _M_caches = new const facet *[_M_facets_size];
    for (size_t i = 0; i < _M_facets_size; i++) {
        _M_facets[i] = other._M_facets[i];
        if (_M_facets[i] != nullptr) _M_facets[i]->_M_add_reference();
        _M_caches[i] = other._M_caches[i];
        if (_M_caches[i] != nullptr) _M_caches[i]->_M_add_reference();
    }
    _M_names = new char *[12];
    memset(_M_names, 0, 12 * sizeof(char *));
    if (other._M_names[0] != nullptr) {
        _M_names[0] = new char[2];
        memcpy(_M_names[0], "C", 2);
    }
}

locale::_Impl::~_Impl() throw() {
    for (size_t i = 0; i < _M_facets_size; i++) {
        if (_M_facets[i] != nullptr) _M_facets[i]->_M_remove_reference();
        if (_M_caches[i] != nullptr) _M_caches[i]->_M_remove_reference();
    }
    delete[] _M_facets;
    delete[] _M_caches;
    delete[] _M_names[0];
    delete[] _M_names;
}

void locale::_Impl::_M_install_facet(const locale::id *id, const facet *it) {
    if (it == nullptr) return;
    size_t index = id->_M_id();
    if (index >= _M_facets_size) {
        size_t size = index + 4;
        auto facets = new const facet *[size], caches = new const facet *[size];
        for (size_t i = 0; i < size; i++) {
            facets[i] = i < _M_facets_size ? _M_facets[i] : nullptr;
            caches[i] = i < _M_facets_size ? _M_caches[i] : nullptr;
        }
        delete[] _M_facets;
        delete[] _M_caches;
        _M_facets = facets;
        _M_caches = caches;
        _M_facets_size = size;
    }
    it->_M_add_reference();
    if (_M_facets[index] != nullptr) _M_facets[index]->_M_remove_reference();
    _M_facets[index] = it;
    // What was made of the facets before is out of date.
    for (size_t i = 0; i < _M_facets_size; i++)
        if (_M_caches[i] != nullptr) {
            _M_caches[i]->_M_remove_reference();
            _M_caches[i] = nullptr;
        }
}

void locale::_Impl::_M_replace_facet(const _Impl *other, const locale::id *id) {
    size_t index = id->_M_id();
    if (index >= other->_M_facets_size || other->_M_facets[index] == nullptr)
        __throw_runtime_error("locale::_Impl::_M_replace_facet");
    _M_install_facet(id, other->_M_facets[index]);
}

void locale::_Impl::_M_install_cache(const facet *it, size_t index) {
    if (_M_caches[index] != nullptr) {
        delete it;
        return;
    }
    it->_M_add_reference();
    _M_caches[index] = it;
}

void locale::_S_initialize() {
    if (_S_classic != nullptr) return;
    _S_classic = new (&classic_facets) _Impl(2);
    _S_global = _S_classic;
    new (&classic_locale) locale(_S_classic);
}

locale::locale(_Impl *it) throw() : _M_impl(it) {}

locale::locale() throw() : _M_impl(nullptr) {
    _S_initialize();
    _M_impl = _S_global;
    _M_impl->_M_add_reference();
}

locale::locale(const locale &other) throw() : _M_impl(other._M_impl) { _M_impl->_M_add_reference(); }

locale::locale(const char *name) : _M_impl(nullptr) {
    if (name == nullptr) __throw_runtime_error("locale::locale null not valid");
    _S_initialize();
    __c_locale checked;
    // The environment of a program that is analysed names no locale.
    facet::_S_create_c_locale(checked, *name == 0 ? "C" : name);
    _M_impl = _S_classic;
    _M_impl->_M_add_reference();
}

locale::~locale() throw() { _M_impl->_M_remove_reference(); }

const locale &locale::operator=(const locale &other) throw() {
    other._M_impl->_M_add_reference();
    _M_impl->_M_remove_reference();
    _M_impl = other._M_impl;
    return *this;
}

string locale::name() const { return _M_impl->_M_names[0] != nullptr ? _M_impl->_M_names[0] : "*"; }

bool locale::operator==(const locale &other) const throw() {
    if (_M_impl == other._M_impl) return true;
    return _M_impl->_M_names[0] != nullptr && other._M_impl->_M_names[0] != nullptr;
}

const locale &locale::classic() {
    _S_initialize();
    return *&classic_locale;
}

locale locale::global(const locale &next) {
    _S_initialize();
    _Impl *before = _S_global;
    next._M_impl->_M_add_reference();
    _S_global = next._M_impl;
    return locale(before);
}

// What all streams are.

const ios_base::fmtflags ios_base::boolalpha, ios_base::dec, ios_base::fixed, ios_base::hex, ios_base::internal,
    ios_base::left, ios_base::oct, ios_base::right, ios_base::scientific, ios_base::showbase, ios_base::showpoint,
    ios_base::showpos, ios_base::skipws, ios_base::unitbuf, ios_base::uppercase, ios_base::adjustfield,
    ios_base::basefield, ios_base::floatfield;
const ios_base::iostate ios_base::badbit, ios_base::eofbit, ios_base::failbit, ios_base::goodbit;
const ios_base::openmode ios_base::app, ios_base::ate, ios_base::binary, ios_base::in, ios_base::out, ios_base::trunc;
const ios_base::seekdir ios_base::beg, ios_base::cur, ios_base::end;

ios_base::ios_base() throw()
    : _M_precision(), _M_width(), _M_flags(), _M_exception(), _M_streambuf_state(), _M_callbacks(nullptr),
      _M_word_zero(), _M_word_size(_S_local_word_size), _M_word(_M_local_word), _M_ios_locale() {}

ios_base::~ios_base() {
    _M_call_callbacks(erase_event);
    _M_dispose_callbacks();
    if (_M_word != _M_local_word) delete[] _M_word;
}

void ios_base::_M_init() throw() {
    _M_precision = 6;
    _M_width = 0;
    _M_flags = skipws | dec;
    _M_ios_locale = locale();
}

locale ios_base::imbue(const locale &next) throw() {
    locale before = _M_ios_locale;
    _M_ios_locale = next;
    _M_call_callbacks(imbue_event);
    return before;
}

void ios_base::register_callback(event_callback function, int index) {
    _M_callbacks = new _Callback_list(function, index, _M_callbacks);
}

void ios_base::_M_call_callbacks(event it) throw() {
    for (_Callback_list *at = _M_callbacks; at != nullptr; at = at->_M_next) {
        try {
            (*at->_M_fn)(it, *this, at->_M_index);
        } catch (...) {
        }
    }
}

void ios_base::_M_dispose_callbacks() throw() {
    _Callback_list *at = _M_callbacks;
    while (at != nullptr && at->_M_remove_reference() == 0) {
        _Callback_list *next = at->_M_next;
        delete at;
        at = next;
    }
    _M_callbacks = nullptr;
}

int ios_base::xalloc() throw() {
    // The first four are libstdc++'s own.
    static int next = 4;
    return next++;
}

ios_base::_Words &ios_base::_M_grow_words(int index, bool is_iword) {
    if (index < 0 || index == __gnu_cxx::__numeric_traits<int>::__max) {
        _M_streambuf_state |= badbit;
        if (_M_streambuf_state & _M_exception) __throw_ios_failure("ios_base::_M_grow_words is not valid");
        if (is_iword)
            _M_word_zero._M_iword = 0;
        else
            _M_word_zero._M_pword = nullptr;
        return _M_word_zero;
    }
    int size = index + 1;
    auto words = new _Words[size];
    for (int i = 0; i < _M_word_size; i++) words[i] = _M_word[i];
    if (_M_word != _M_local_word) delete[] _M_word;
    _M_word = words;
    _M_word_size = size;
    return _M_word[index];
}

void ios_base::_M_move(ios_base &other) noexcept {
    _M_precision = other._M_precision;
    _M_width = other._M_width;
    _M_flags = other._M_flags;
    _M_exception = other._M_exception;
    _M_streambuf_state = other._M_streambuf_state;
    _M_callbacks = other._M_callbacks;
    other._M_callbacks = nullptr;
    if (_M_word != _M_local_word) delete[] _M_word;
    if (other._M_word == other._M_local_word) {
        _M_word = _M_local_word;
        _M_word_size = _S_local_word_size;
        for (int i = 0; i < _S_local_word_size; i++) {
            _M_word[i] = other._M_word[i];
            other._M_word[i] = _Words();
        }
    } else {
        _M_word = other._M_word;
        _M_word_size = other._M_word_size;
        other._M_word = other._M_local_word;
        other._M_word_size = _S_local_word_size;
    }
    _M_ios_locale = other._M_ios_locale;
}

void ios_base::_M_swap(ios_base &other) noexcept {
    swap(_M_precision, other._M_precision);
    swap(_M_width, other._M_width);
    swap(_M_flags, other._M_flags);
    swap(_M_exception, other._M_exception);
    swap(_M_streambuf_state, other._M_streambuf_state);
    swap(_M_callbacks, other._M_callbacks);
    bool is_local = _M_word == _M_local_word, is_others = other._M_word == other._M_local_word;
    for (int i = 0; i < _S_local_word_size; i++) swap(_M_local_word[i], other._M_local_word[i]);
    swap(_M_word, other._M_word);
    if (is_others) _M_word = _M_local_word;
    if (is_local) other._M_word = other._M_local_word;
    swap(_M_word_size, other._M_word_size);
    swap(_M_ios_locale, other._M_ios_locale);
}

// Exceptions of streams.

namespace {
class StreamCategory final : public error_category {
public:
    const char *name() const noexcept override { return "iostream"; }
    string message(int code) const override { return code == int(io_errc::stream) ? "iostream error" : "Unknown error"; }
};
Forever<StreamCategory> stream_category;
bool has_stream_category;
}

const error_category &iostream_category() noexcept {
    if (!has_stream_category) {
        has_stream_category = true;
        new (&stream_category) StreamCategory;
    }
    return *&stream_category;
}

ios_base::failure::failure(const string &text) : system_error(io_errc::stream, text) {}
ios_base::failure::failure(const string &text, const error_code &code) : system_error(code, text) {}
ios_base::failure::failure(const char *text, const error_code &code) : system_error(code, text) {}
ios_base::failure::~failure() throw() {}
const char *ios_base::failure::what() const throw() { return runtime_error::what(); }

// What streams throw, by the name that it has in messages.
struct __ios_failure : ios_base::failure {
    explicit __ios_failure(const char *text) : failure(text) {}
    __ios_failure(const char *text, int number) : failure(text, error_code(number, system_category())) {}
};

void __throw_ios_failure(const char *text) { throw __ios_failure(text); }
void __throw_ios_failure(const char *text, int number) { throw __ios_failure(text, number); }

// Reading of characters.

template <> streamsize __copy_streambufs_eof(streambuf *from, streambuf *to, bool &is_at_end) {
    streamsize count = 0;
    is_at_end = true;
    for (int c = from->sgetc(); c != EOF; c = from->snextc()) {
        if (to->sputc(c) == EOF) {
            is_at_end = false;
            break;
        }
        count++;
    }
    return count;
}

// Runs `read`, which returns what is to be set in the state of `in`; what it throws makes the stream bad.
template <typename Read> static void guarded(istream &in, ios_base::iostate &state, Read read) {
    try {
        read();
    } catch (...) {
        in._M_setstate(ios_base::badbit);
    }
    if (state != ios_base::goodbit) in.setstate(state);
}

template <> istream &istream::getline(char *to, streamsize size, char delimiter) {
    _M_gcount = 0;
    ios_base::iostate state = ios_base::goodbit;
    sentry is_ready(*this, true);
    if (is_ready) {
        try {
            int c = rdbuf()->sgetc();
            while (_M_gcount + 1 < size && c != EOF && char(c) != delimiter) {
                *to++ = c;
                _M_gcount++;
                c = rdbuf()->snextc();
            }
            if (c == EOF) {
                state |= ios_base::eofbit;
            } else if (char(c) == delimiter) {
                _M_gcount++;
                rdbuf()->sbumpc();
            } else {
                state |= ios_base::failbit;
            }
        } catch (...) {
            _M_setstate(ios_base::badbit);
        }
    }
    if (size > 0) *to = 0;
    if (_M_gcount == 0) state |= ios_base::failbit;
    if (state != ios_base::goodbit) setstate(state);
    return *this;
}

template <> istream &istream::ignore(streamsize count) {
    _M_gcount = 0;
    sentry is_ready(*this, true);
    if (!is_ready || count <= 0) return *this;
    ios_base::iostate state = ios_base::goodbit;
    const streamsize unlimited = __gnu_cxx::__numeric_traits<streamsize>::__max;
    guarded(*this, state, [&] {
        int c = rdbuf()->sgetc();
        for (; c != EOF && (count == unlimited || _M_gcount < count); c = rdbuf()->snextc()) {
            _M_gcount++;
            // The character behind the last one is not asked for.
            if (_M_gcount == count) {
                rdbuf()->sbumpc();
                return;
            }
        }
        if (c == EOF) state |= ios_base::eofbit;
    });
    return *this;
}

template <> istream &istream::ignore(streamsize count, int delimiter) {
    if (delimiter == EOF) return ignore(count);
    _M_gcount = 0;
    sentry is_ready(*this, true);
    if (!is_ready || count <= 0) return *this;
    ios_base::iostate state = ios_base::goodbit;
    const streamsize unlimited = __gnu_cxx::__numeric_traits<streamsize>::__max;
    guarded(*this, state, [&] {
        int c = rdbuf()->sgetc();
        for (; c != EOF && (count == unlimited || _M_gcount < count); c = rdbuf()->snextc()) {
            _M_gcount++;
            if (c == delimiter || _M_gcount == count) {
                rdbuf()->sbumpc();
                return;
            }
        }
        if (c == EOF) state |= ios_base::eofbit;
    });
    return *this;
}

void __istream_extract(istream &in, char *to, streamsize size) {
    streamsize count = 0;
    ios_base::iostate state = ios_base::goodbit;
    istream::sentry is_ready(in, false);
    if (is_ready) {
        try {
            streamsize width = in.width();
            if (width > 0 && width < size) size = width;
            auto &kinds = use_facet<ctype<char>>(in.getloc());
            int c = in.rdbuf()->sgetc();
            while (count < size - 1 && c != EOF && !kinds.is(ctype_base::space, char(c))) {
                *to++ = c;
                count++;
                c = in.rdbuf()->snextc();
            }
            if (c == EOF && count < size - 1) state |= ios_base::eofbit;
            *to = 0;
            in.width(0);
        } catch (...) {
            in._M_setstate(ios_base::badbit);
        }
    }
    if (count == 0) state |= ios_base::failbit;
    if (state != ios_base::goodbit) in.setstate(state);
}

template <> istream &operator>>(istream &in, string &to) {
    size_t count = 0;
    ios_base::iostate state = ios_base::goodbit;
    istream::sentry is_ready(in, false);
    if (is_ready) {
        try {
            to.erase();
            size_t most = in.width() > 0 ? size_t(in.width()) : to.max_size();
            auto &kinds = use_facet<ctype<char>>(in.getloc());
            int c = in.rdbuf()->sgetc();
            while (count < most && c != EOF && !kinds.is(ctype_base::space, char(c))) {
                to.push_back(c);
                count++;
                c = in.rdbuf()->snextc();
            }
            if (c == EOF && count < most) state |= ios_base::eofbit;
            in.width(0);
        } catch (...) {
            in._M_setstate(ios_base::badbit);
        }
    }
    if (count == 0) state |= ios_base::failbit;
    if (state != ios_base::goodbit) in.setstate(state);
    return in;
}

template <> istream &getline(istream &in, string &to, char delimiter) {
    size_t count = 0;
    ios_base::iostate state = ios_base::goodbit;
    istream::sentry is_ready(in, true);
    if (is_ready) {
        try {
            to.erase();
            int c = in.rdbuf()->sgetc();
            while (c != EOF && char(c) != delimiter) {
                to.push_back(c);
                count++;
                c = in.rdbuf()->snextc();
            }
            if (c == EOF) {
                state |= ios_base::eofbit;
            } else {
                count++;
                in.rdbuf()->sbumpc();
            }
        } catch (...) {
            in._M_setstate(ios_base::badbit);
        }
    }
    if (count == 0) state |= ios_base::failbit;
    if (state != ios_base::goodbit) in.setstate(state);
    return in;
}

// The templates that the headers leave to libstdc++.so, for `char`.

// Not by `assign`, which asks whether the bytes are the string's own: that compares pointers into two objects.
template <> basic_stringbuf<char>::__string_type basic_stringbuf<char>::str() const {
    char *end = _M_high_mark();
    return end ? string(pbase(), end) : _M_string;
}

template class basic_streambuf<char>;
template class basic_ios<char>;
template class basic_ostream<char>;
template class basic_istream<char>;
template class basic_iostream<char>;
template class basic_stringbuf<char>;
template class basic_istringstream<char>;
template class basic_ostringstream<char>;
template class basic_stringstream<char>;
template class numpunct<char>;
template class num_get<char>;
template class num_put<char>;
template class collate<char>;
template class numpunct_byname<char>;
template class collate_byname<char>;
template class codecvt_byname<char, char, mbstate_t>;
template streamsize __copy_streambufs(streambuf *, streambuf *);
template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, const string &);
template ostream &__ostream_insert(ostream &, const char *, streamsize);
template ostream &ostream::_M_insert(long);
template ostream &ostream::_M_insert(unsigned long);
template ostream &ostream::_M_insert(bool);
template ostream &ostream::_M_insert(long long);
template ostream &ostream::_M_insert(unsigned long long);
template ostream &ostream::_M_insert(double);
template ostream &ostream::_M_insert(long double);
template ostream &ostream::_M_insert(const void *);
template istream &ws(istream &);
template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, signed char &);
template istream &getline(istream &, string &);
template istream &istream::_M_extract(unsigned short &);
template istream &istream::_M_extract(unsigned int &);
template istream &istream::_M_extract(long &);
template istream &istream::_M_extract(unsigned long &);
template istream &istream::_M_extract(bool &);
template istream &istream::_M_extract(long long &);
template istream &istream::_M_extract(unsigned long long &);
template istream &istream::_M_extract(float &);
template istream &istream::_M_extract(double &);
template istream &istream::_M_extract(long double &);
template istream &istream::_M_extract(void *&);

// std::cout and its kin: their room here, the objects when the first `ios_base::Init` is made. <iostream> declares them.

alignas(ostream) char cout[sizeof(ostream)];
alignas(istream) char cin[sizeof(istream)];
alignas(ostream) char cerr[sizeof(ostream)];
alignas(ostream) char clog[sizeof(ostream)];

_Atomic_word ios_base::Init::_S_refcount;
bool ios_base::Init::_S_synced_with_stdio = true;

ios_base::Init::Init() {
    if (_S_refcount++ > 0) return;
    new (&out_buffer) StdioBuffer(stdout);
    new (&in_buffer) StdioBuffer(stdin);
    new (&err_buffer) StdioBuffer(stderr);
    auto out = new ((void *)cout) ostream(&out_buffer);
    auto in = new ((void *)cin) istream(&in_buffer);
    auto err = new ((void *)cerr) ostream(&err_buffer);
    new ((void *)clog) ostream(&err_buffer);
    in->tie(out);
    err->setf(unitbuf);
    err->tie(out);
    // The streams live to the end, and longer than what is counted.
    _S_refcount++;
}

ios_base::Init::~Init() {
    if (_S_refcount-- != 2) return;
    try {
        ((ostream *)cout)->flush();
        ((ostream *)cerr)->flush();
        ((ostream *)clog)->flush();
    } catch (...) {
    }
}

// The buffers stay those of C. Natively the order of what C and C++ write is then up to the two buffers.
bool ios_base::sync_with_stdio(bool is_synced) {
    bool before = Init::_S_synced_with_stdio;
    Init::_S_synced_with_stdio = is_synced;
    return before;
}

} // namespace std
