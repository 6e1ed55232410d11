// What libstdc++ has of <charconv> out of line: floating-point numbers as text and back. Integers are in the header.
//
// Source: C++17, [charconv.to.chars], [charconv.from.chars].

#include <charconv>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace std {

namespace {

// What printf and strtod have for each type.
struct OfFloat {
    using Type = float;
    static constexpr const char *length = "";
    static constexpr int digits = 9;
    static float read(const char *text, char **end) { return strtof(text, end); }
};
struct OfDouble {
    using Type = double;
    static constexpr const char *length = "";
    static constexpr int digits = 17;
    static double read(const char *text, char **end) { return strtod(text, end); }
};
struct OfLongDouble {
    using Type = long double;
    static constexpr const char *length = "L";
    static constexpr int digits = 21;
    static long double read(const char *text, char **end) { return strtold(text, end); }
};

// Text of a number. The longest is that of a `long double` in `fixed`.
struct Text {
    char *at;
    size_t length;
    char room[128];
    Text() : at(room), length(0) {}
    Text(const Text &) = delete;
    ~Text() {
        if (at != room) free(at);
    }

    template <typename Of> void print(char conversion, int precision, typename Of::Type value) {
        char format[8];
        snprintf(format, sizeof format, precision < 0 ? "%%%s%c" : "%%.*%s%c", Of::length, conversion);
        auto write = [&](size_t size) {
            return precision < 0 ? snprintf(at, size, format, value) : snprintf(at, size, format, precision, value);
        };
        if (at != room) free(at);
        at = room;
        length = write(sizeof room);
        if (length >= sizeof room) {
            at = (char *)malloc(length + 1);
            write(length + 1);
        }
    }
};

to_chars_result given(char *first, char *last, const char *text, size_t length) {
    if (size_t(last - first) < length) return {last, errc::value_too_large};
    memcpy(first, text, length);
    return {first + length, errc()};
}

// `inf` and `nan`, without what printf may say of them.
template <typename T> bool is_special(T value, const char *&text) {
    if (value != value)
        text = __builtin_signbit(value) ? "-nan" : "nan";
    else if (value - value != 0)
        text = value < 0 ? "-inf" : "inf";
    else
        return false;
    return true;
}

// printf writes "0x" in front of hexadecimal digits, <charconv> does not. Subnormal numbers have the least power of their
// type and a zero in front; those of `float` would be normal as the `double` that printf gets.
template <typename Of> to_chars_result hexadecimal(char *first, char *last, typename Of::Type value, int precision) {
    Text text;
    size_t sign = __builtin_signbit(value) ? 1 : 0;
    if (sizeof value == sizeof(float) && value != 0 && fabs(value) < __FLT_MIN__) {
        // As the digits behind a one: 0x1.ddddp+0.
        text.print<OfDouble>('a', precision, 1 + fabs(double(value)) * 0x1p126);
        size_t digits = text.length - 2 - strlen("p+0"), length = sign + digits + strlen("p-126");
        if (size_t(last - first) < length) return {last, errc::value_too_large};
        if (sign > 0) first[0] = '-';
        memcpy(first + sign, text.at + 2, digits);
        first[sign]--;
        memcpy(first + sign + digits, "p-126", strlen("p-126"));
        return {first + length, errc()};
    }
    text.print<Of>('a', precision, value);
    memmove(text.at + sign, text.at + sign + 2, text.length - sign - 2);
    return given(first, last, text.at, text.length - 2);
}

template <typename Of>
to_chars_result precise(char *first, char *last, typename Of::Type value, chars_format format, int precision) {
    const char *special;
    if (is_special(value, special)) return given(first, last, special, strlen(special));
    if (precision < 0) precision = 6;
    if (format == chars_format::hex) return hexadecimal<Of>(first, last, value, precision);
    Text text;
    char conversion = format == chars_format::fixed ? 'f' : format == chars_format::scientific ? 'e' : 'g';
    text.print<Of>(conversion, precision, value);
    return given(first, last, text.at, text.length);
}

// The fewest digits that are read back as the same number.
template <typename Of>
to_chars_result shortest(char *first, char *last, typename Of::Type value, chars_format format, bool is_plain) {
    const char *special;
    if (is_special(value, special)) return given(first, last, special, strlen(special));
    if (format == chars_format::hex) return hexadecimal<Of>(first, last, value, -1);
    Text text;
    int digits = 1;
    for (; digits < Of::digits; digits++) {
        text.print<Of>('e', digits - 1, value);
        char *end;
        if (Of::read(text.at, &end) == value) break;
    }
    text.print<Of>('e', digits - 1, value);
    const char *sign_of_power = strchr(text.at, 'e') + 1;
    int power = atoi(sign_of_power);
    bool is_fixed = format == chars_format::fixed;
    if (is_plain) {
        // The shorter of the two, and the fixed one where they are equally long.
        int scientific = digits + (digits > 1) + (power > -100 && power < 100 ? 4 : power > -1000 && power < 1000 ? 5 : 6);
        int fixed = power < 0 ? digits + 1 - power : power + 1 >= digits ? power + 1 : digits + 1;
        is_fixed = fixed <= scientific;
    } else if (format == chars_format::general) {
        is_fixed = power >= -4 && power < 6;
    }
    if (is_fixed) {
        int decimals = digits - 1 - power;
        text.print<Of>('f', decimals < 0 ? 0 : decimals, value);
    }
    return given(first, last, text.at, text.length);
}

bool is_digit(char it, bool is_hex) {
    if (it >= '0' && it <= '9') return true;
    return is_hex && ((it >= 'a' && it <= 'f') || (it >= 'A' && it <= 'F'));
}

// How long `word` is if the text begins with it, whatever the case of the letters.
size_t begins(const char *at, const char *last, const char *word) {
    size_t length = strlen(word);
    if (size_t(last - at) < length) return 0;
    for (size_t i = 0; i < length; i++) {
        char it = at[i] >= 'A' && at[i] <= 'Z' ? at[i] - 'A' + 'a' : at[i];
        if (it != word[i]) return 0;
    }
    return length;
}

// The end of the number at `first`, which is `first` where there is none.
const char *number(const char *first, const char *last, chars_format format, bool &is_word) {
    const char *at = first;
    is_word = false;
    if (at < last && *at == '-') at++;
    size_t word = begins(at, last, "infinity");
    if (word == 0) word = begins(at, last, "inf");
    if (word == 0) word = begins(at, last, "nan");
    if (word != 0) {
        bool is_nan = *at == 'n' || *at == 'N';
        is_word = true;
        at += word;
        if (is_nan && at < last && *at == '(') {
            const char *end = at + 1;
            while (end < last && (is_digit(*end, false) || *end == '_' || ((*end | 32) >= 'a' && (*end | 32) <= 'z'))) end++;
            if (end < last && *end == ')') at = end + 1;
        }
        return at;
    }
    bool is_hex = format == chars_format::hex;
    int digits = 0;
    for (; at < last && is_digit(*at, is_hex); at++) digits++;
    if (at < last && *at == '.')
        for (at++; at < last && is_digit(*at, is_hex); at++) digits++;
    if (digits == 0) return first;
    char letter = is_hex ? 'p' : 'e';
    bool may_have_power = format != chars_format::fixed, has_power = false;
    if (may_have_power && at < last && (*at == letter || *at == letter - 32)) {
        const char *power = at + 1;
        if (power < last && (*power == '-' || *power == '+')) power++;
        if (power < last && is_digit(*power, false)) {
            while (power < last && is_digit(*power, false)) power++;
            at = power;
            has_power = true;
        }
    }
    return format == chars_format::scientific && !has_power ? first : at;
}

template <typename Of>
from_chars_result read(const char *first, const char *last, typename Of::Type &value, chars_format format) {
    bool is_word;
    const char *end = number(first, last, format, is_word);
    if (end == first) return {first, errc::invalid_argument};
    size_t length = end - first;
    char small[64], *text = length + 3 > sizeof small ? (char *)malloc(length + 3) : small, *to = text;
    if (text == nullptr) return {first, errc::not_enough_memory};
    const char *from = first;
    if (*from == '-') *to++ = *from++;
    if (format == chars_format::hex && !is_word) {
        *to++ = '0';
        *to++ = 'x';
    }
    memcpy(to, from, end - from);
    to[end - from] = 0;
    int before = errno;
    errno = 0;
    typename Of::Type res = Of::read(text, nullptr);
    bool fits = is_word || (res - res == 0 && (res != 0 || errno != ERANGE));
    if (fits && errno == ERANGE && !is_word) fits = false;
    errno = before;
    if (text != small) free(text);
    if (!fits) return {end, errc::result_out_of_range};
    value = res;
    return {end, errc()};
}

} // namespace

#define CONVERSIONS(type, Of) \
    to_chars_result to_chars(char *first, char *last, type value) noexcept { \
        return shortest<Of>(first, last, value, chars_format::general, true); \
    } \
    to_chars_result to_chars(char *first, char *last, type value, chars_format format) noexcept { \
        return shortest<Of>(first, last, value, format, false); \
    } \
    to_chars_result to_chars(char *first, char *last, type value, chars_format format, int precision) noexcept { \
        return precise<Of>(first, last, value, format, precision); \
    } \
    from_chars_result from_chars(const char *first, const char *last, type &value, chars_format format) noexcept { \
        return read<Of>(first, last, value, format); \
    }
CONVERSIONS(float, OfFloat)
CONVERSIONS(double, OfDouble)
CONVERSIONS(long double, OfLongDouble)

} // namespace std
