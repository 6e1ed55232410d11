/* stdio.h: the scanf family, of texts and of streams, and its variants of C99 and C23. */
static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The value of a character as a digit; 99 for others. */
static int digit_of(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

enum length { OF_INT, OF_CHAR, OF_SHORT, OF_LONG, OF_LONG_DOUBLE };

static void store(void *at, unsigned long value, enum length length) {
  switch (length) {
    case OF_CHAR: *(char *)at = (char)value; break;
    case OF_SHORT: *(short *)at = (short)value; break;
    case OF_INT: *(int *)at = (int)value; break;
    default: *(long *)at = (long)value;
  }
}

/* The integer at `s`, at most `width` characters of it; how many they were, 0 if there is none. */
static size_t integer(const char *s, size_t width, int base, int is_signed, unsigned long *to) {
  size_t at = 0;
  int negative = 0, any = 0, too_large = 0;
  unsigned long value = 0;
  if (at < width && (s[at] == '-' || s[at] == '+')) negative = s[at++] == '-';
  if (at < width && s[at] == '0' && (base == 0 || base == 16)) {
    any = 1;
    at++;
    if (at < width && (s[at] == 'x' || s[at] == 'X')) {
      /* As in glibc, `0x` alone is 0. */
      base = 16;
      at++;
    } else if (base == 0) base = 8;
  }
  if (base == 0) base = 10;
  for (; at < width; at++) {
    int digit = digit_of((unsigned char)s[at]);
    if (digit >= base) break;
    any = 1;
    unsigned long next = value * (unsigned long)base + (unsigned long)digit;
    if (value > (~0ul - (unsigned long)digit) / (unsigned long)base) too_large = 1;
    value = next;
  }
  if (!any) return 0;
  unsigned long most = is_signed ? ~0ul / 2 + (unsigned long)negative : ~0ul;
  if (too_large || value > most) {
    *__errno_location() = 34;
    value = most;
    *to = is_signed && negative ? 0 - value : value;
    return at;
  }
  *to = negative ? 0 - value : value;
  return at;
}

static int matches(const char *s, size_t width, const char *word) {
  size_t at = 0;
  for (; word[at]; at++)
    if (at == width || (s[at] | 32) != word[at]) return 0;
  return (int)at;
}

/* How far what begins as a floating-point number goes, also where it breaks off in its exponent; 0 if it is none. */
static size_t float_length(const char *s, size_t width) {
  size_t at = 0;
  if (at < width && (s[at] == '-' || s[at] == '+')) at++;
  if (matches(s + at, width - at, "nan")) return at + 3;
  if (matches(s + at, width - at, "infinity")) return at + 8;
  if (matches(s + at, width - at, "inf")) return matches(s + at, width - at, "infi") ? 0 : at + 3;
  int base = 10, any = 0, point = 0, exponent = 0;
  if (at + 1 < width && s[at] == '0' && (s[at + 1] | 32) == 'x') {
    base = 16;
    at += 2;
  }
  for (; at < width && s[at]; at++) {
    if (digit_of((unsigned char)s[at]) < (exponent ? 10 : base)) any = 1;
    else if (s[at] == '.' && !point && !exponent) point = 1;
    else if (any && !exponent && (s[at] | 32) == (base == 16 ? 'p' : 'e')) {
      exponent = 1;
      if (at + 1 < width && (s[at + 1] == '-' || s[at + 1] == '+')) at++;
    } else break;
  }
  /* As in glibc, `0x.` is 0. */
  return any || (base == 16 && point) ? at : 0;
}

/* Whether `c` belongs to the set behind `[`; `*end` is behind its `]`. */
static int in_set(const char *set, unsigned char c, const char **end) {
  int inverted = *set == '^', found = 0;
  if (inverted) set++;
  const char *start = set;
  while (*set && (*set != ']' || set == start)) {
    unsigned char low = (unsigned char)*set++, high = low;
    if (*set == '-' && set[1] && set[1] != ']') {
      high = (unsigned char)set[1];
      set += 2;
    }
    if (low <= c && c <= high) found = 1;
  }
  *end = *set ? set + 1 : set;
  return found != inverted;
}

int vsscanf(const char *text, const char *format, va_list list) {
  const char *s = text;
  int assigned = 0;
  for (; *format; format++) {
    if (is_space((unsigned char)*format)) {
      while (is_space((unsigned char)*s)) s++;
      continue;
    }
    if (*format != '%') {
      if (!*s) return assigned ? assigned : -1;
      if (*s != *format) return assigned;
      s++;
      continue;
    }
    format++;
    int kept = 1, allocated = 0;
    if (*format == '*') {
      kept = 0;
      format++;
    }
    size_t width = 0;
    while (*format >= '0' && *format <= '9') width = 10 * width + (size_t)(*format++ - '0');
    if (*format == 'm') {
      allocated = 1;
      format++;
    }
    enum length length = OF_INT;
    for (;; format++) {
      if (*format == 'h') length = length == OF_SHORT ? OF_CHAR : OF_SHORT;
      else if (*format == 'l' || *format == 'j' || *format == 'z' || *format == 't' || *format == 'q') length = OF_LONG;
      else if (*format == 'L') length = OF_LONG_DOUBLE;
      else break;
    }
    char kind = *format;
    if (kind == 'n') {
      if (kept) store(__builtin_va_arg(list, void *), (unsigned long)(s - text), length);
      continue;
    }
    if (kind != 'c' && kind != '[')
      while (is_space((unsigned char)*s)) s++;
    if (!*s) return assigned ? assigned : -1;
    if (kind == '%') {
      if (*s != '%') return assigned;
      s++;
      continue;
    }
    if (kind == 'c' || kind == 's' || kind == '[') {
      const char *set = format + 1, *behind = format;
      size_t most = width ? width : kind == 'c' ? 1 : (size_t)-1, count = 0;
      if (kind == '[') in_set(set, 0, &behind);
      while (count < most && s[count]) {
        if (kind == 's' && is_space((unsigned char)s[count])) break;
        if (kind == '[' && !in_set(set, (unsigned char)s[count], &behind)) break;
        count++;
      }
      if (count == 0) return assigned;
      if (kind == '[') format = behind - 1;
      if (kept) {
        char *to = __builtin_va_arg(list, char *);
        if (allocated) {
          char *made = malloc(count + 1);
          *(char **)to = made;
          to = made;
        }
        memcpy(to, s, count);
        if (kind != 'c') to[count] = 0;
        assigned++;
      }
      s += count;
      continue;
    }
    size_t count = 0;
    unsigned long value = 0;
    size_t most = width ? width : (size_t)-1;
    switch (kind) {
      case 'd': count = integer(s, most, 10, 1, &value); break;
      case 'i': count = integer(s, most, 0, 1, &value); break;
      case 'u': count = integer(s, most, 10, 0, &value); break;
      case 'o': count = integer(s, most, 8, 0, &value); break;
      case 'x':
      case 'X': count = integer(s, most, 16, 0, &value); break;
      case 'p':
        count = integer(s, most, 16, 0, &value);
        length = OF_LONG;
        break;
      case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': {
        char room[512];
        count = float_length(s, most < sizeof room ? most : sizeof room - 1);
        memcpy(room, s, count);
        room[count] = 0;
        double number = count == 0 ? 0 : length == OF_INT ? strtof(room, NULL) : strtod(room, NULL);
        if (count == 0) return assigned;
        if (kept) {
          void *to = __builtin_va_arg(list, void *);
          if (length == OF_LONG) *(double *)to = number;
          else if (length == OF_LONG_DOUBLE) *(long double *)to = number;
          else *(float *)to = (float)number;
          assigned++;
        }
        s += count;
        continue;
      }
      default: return assigned;
    }
    if (count == 0) return assigned;
    if (kept) {
      store(__builtin_va_arg(list, void *), value, length);
      assigned++;
    }
    s += count;
  }
  return assigned;
}

int sscanf(const char *text, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int res = vsscanf(text, format, list);
  __builtin_va_end(list);
  return res;
}

int __isoc99_vsscanf(const char *text, const char *format, va_list list) { return vsscanf(text, format, list); }
int __isoc23_vsscanf(const char *text, const char *format, va_list list) { return vsscanf(text, format, list); }

int __isoc99_sscanf(const char *text, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int res = vsscanf(text, format, list);
  __builtin_va_end(list);
  return res;
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int res = vsscanf(text, format, list);
  __builtin_va_end(list);
  return res;
}

int fgetc(void *stream);
int ungetc(int c, void *stream);
extern void *stdin;

/* What is read of a stream: how many characters, and whether it has ended. */
struct reading {
  void *stream;
  long count;
  int ended, error;
};

static int next(struct reading *from) {
  int c = fgetc(from->stream);
  if (c >= 0) from->count++;
  else if (!from->ended) {
    from->ended = 1;
    from->error = *__errno_location();
  }
  return c;
}

/* Nothing is left to read. As in glibc, errors are those of before the end was met. */
static int at_end(const struct reading *from, int assigned) {
  *__errno_location() = from->error;
  return assigned ? assigned : -1;
}

static void back(struct reading *from, int c) {
  if (c < 0) return;
  ungetc(c, from->stream);
  from->count--;
}

/* Whether an integer goes on with `c` behind `count` characters: C17 7.21.6.2, the longest sequence that is a prefix of
 * one. */
static int integer_goes_on(const char *s, size_t count, int c, int *base) {
  size_t at = count && (s[0] == '-' || s[0] == '+');
  if (count == 0 && (c == '-' || c == '+')) return 1;
  if (count == at + 1 && s[at] == '0' && (*base == 0 || *base == 16)) {
    if (c == 'x' || c == 'X') {
      *base = 16;
      return 1;
    }
    if (*base == 0) *base = 8;
  }
  /* What begins with another digit is decimal; a zero leaves it open. */
  if (*base == 0 && !(count == at && c == '0')) *base = 10;
  return digit_of(c) < (*base ? *base : 10);
}

/* The same of a floating-point number. */
static int float_goes_on(const char *s, size_t count, int c) {
  size_t at = count && (s[0] == '-' || s[0] == '+');
  if (count == 0 && (c == '-' || c == '+')) return 1;
  static const char *const words[] = {"nan", "infinity"};
  for (int word = 0; word < 2; word++) {
    size_t same = 0;
    while (at + same < count && words[word][same] && (s[at + same] | 32) == words[word][same]) same++;
    if (at + same == count && (same || at == count) && words[word][same] && (c | 32) == words[word][same]) return 1;
  }
  if (count > at && (s[at] | 32) >= 'i') return 0;
  if (count == at + 1 && s[at] == '0' && (c | 32) == 'x') return 1;
  int base = count >= at + 2 && s[at] == '0' && (s[at + 1] | 32) == 'x' ? 16 : 10;
  int any = 0, point = 0, exponent = 0;
  for (size_t i = base == 16 ? at + 2 : at; i < count; i++) {
    if (digit_of((unsigned char)s[i]) < (exponent ? 10 : base)) any = 1;
    else if (s[i] == '.') point = 1;
    else if ((s[i] | 32) == (base == 16 ? 'p' : 'e')) exponent = 1;
  }
  if (digit_of(c) < (exponent ? 10 : base)) return 1;
  if (c == '.') return !point && !exponent;
  if ((c | 32) == (base == 16 ? 'p' : 'e')) return any && !exponent;
  return (c == '-' || c == '+') && exponent && count > 0 && (s[count - 1] | 32) == (base == 16 ? 'p' : 'e');
}

/* Whether `nan`, `inf` or `infinity` has begun, and is not whole. */
static int breaks_off(const char *s, size_t count) {
  size_t at = count && (s[0] == '-' || s[0] == '+');
  if (count == at) return 0;
  size_t length = count - at;
  return (s[at] | 32) == 'n' ? length < 3 : (s[at] | 32) == 'i' && length != 3 && length < 8;
}

int vfscanf(void *stream, const char *format, va_list list) {
  struct reading from = {stream, 0, 0, 0};
  int assigned = 0, c;
  for (; *format; format++) {
    if (is_space((unsigned char)*format)) {
      while (is_space(c = next(&from)));
      back(&from, c);
      continue;
    }
    if (*format != '%') {
      c = next(&from);
      if (c < 0) return at_end(&from, assigned);
      if (c != (unsigned char)*format) {
        back(&from, c);
        return assigned;
      }
      continue;
    }
    format++;
    int kept = 1, allocated = 0;
    if (*format == '*') {
      kept = 0;
      format++;
    }
    size_t width = 0;
    while (*format >= '0' && *format <= '9') width = 10 * width + (size_t)(*format++ - '0');
    if (*format == 'm') {
      allocated = 1;
      format++;
    }
    enum length length = OF_INT;
    for (;; format++) {
      if (*format == 'h') length = length == OF_SHORT ? OF_CHAR : OF_SHORT;
      else if (*format == 'l' || *format == 'j' || *format == 'z' || *format == 't' || *format == 'q') length = OF_LONG;
      else if (*format == 'L') length = OF_LONG_DOUBLE;
      else break;
    }
    char kind = *format;
    if (kind == 'n') {
      if (kept) store(__builtin_va_arg(list, void *), (unsigned long)from.count, length);
      continue;
    }
    if (kind != 'c' && kind != '[') {
      while (is_space(c = next(&from)));
      back(&from, c);
    }
    /* Whether there is a character at all. */
    c = next(&from);
    if (c < 0) return at_end(&from, assigned);
    if (kind == '%') {
      if (c != '%') {
        back(&from, c);
        return assigned;
      }
      continue;
    }
    if (kind == 'c' || kind == 's' || kind == '[') {
      const char *set = format + 1, *behind = format;
      size_t most = width ? width : kind == 'c' ? 1 : (size_t)-1, count = 0, room = 0;
      if (kind == '[') in_set(set, 0, &behind);
      char *to = kept ? __builtin_va_arg(list, char *) : NULL, **made = (char **)to;
      if (kept && allocated) *made = to = NULL;
      for (;; c = next(&from)) {
        if (c < 0) break;
        if ((kind == 's' && is_space(c)) || (kind == '[' && !in_set(set, (unsigned char)c, &behind))) {
          back(&from, c);
          break;
        }
        if (kept && allocated && count + 1 >= room) {
          room = 2 * room + 16;
          *made = to = realloc(to, room);
        }
        if (kept) to[count] = (char)c;
        count++;
        if (count == most) break;
      }
      if (count == 0) return assigned;
      /* Of `%Nc` all characters must be there. */
      if (kind == 'c' && count < most && width) {
        return assigned ? assigned + kept : kept ? 1 : 0;
      }
      if (kind == '[') format = behind - 1;
      if (kept) {
        if (kind != 'c') to[count] = 0;
        assigned++;
      }
      continue;
    }
    int base = 10, is_float = 0, is_signed = 0;
    switch (kind) {
      case 'd': is_signed = 1; break;
      case 'i':
        is_signed = 1;
        base = 0;
        break;
      case 'u': break;
      case 'o': base = 8; break;
      case 'p': length = OF_LONG; /* fall through */
      case 'x':
      case 'X': base = 16; break;
      case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': is_float = 1; break;
      default: back(&from, c); return assigned;
    }
    char item[512];
    size_t count = 0, most = width && width < sizeof item ? width : sizeof item - 1;
    int open = base;
    for (;; c = next(&from)) {
      if (c < 0) break;
      if (!(is_float ? float_goes_on(item, count, c) : integer_goes_on(item, count, c, &open))) {
        /* As glibc does: what breaks off a word is read. */
        if (!is_float || !breaks_off(item, count)) back(&from, c);
        break;
      }
      item[count++] = (char)c;
      if (count == most) break;
    }
    item[count] = 0;
    if (is_float) {
      if (float_length(item, count) == 0) return assigned;
      double number = length == OF_INT ? strtof(item, NULL) : strtod(item, NULL);
      if (kept) {
        void *to = __builtin_va_arg(list, void *);
        if (length == OF_LONG) *(double *)to = number;
        else if (length == OF_LONG_DOUBLE) *(long double *)to = number;
        else *(float *)to = (float)number;
        assigned++;
      }
      continue;
    }
    unsigned long value = 0;
    if (integer(item, count, base, is_signed, &value) == 0) return assigned;
    if (kept) {
      store(__builtin_va_arg(list, void *), value, length);
      assigned++;
    }
  }
  return assigned;
}

#define STREAMS(prefix)                                                                                     \
  int prefix##fscanf(void *stream, const char *format, ...) {                                               \
    va_list list;                                                                                           \
    __builtin_va_start(list, format);                                                                       \
    int res = vfscanf(stream, format, list);                                                                \
    __builtin_va_end(list);                                                                                 \
    return res;                                                                                             \
  }                                                                                                         \
  int prefix##scanf(const char *format, ...) {                                                              \
    va_list list;                                                                                           \
    __builtin_va_start(list, format);                                                                       \
    int res = vfscanf(stdin, format, list);                                                                 \
    __builtin_va_end(list);                                                                                 \
    return res;                                                                                             \
  }

STREAMS()
STREAMS(__isoc99_)
STREAMS(__isoc23_)

int vscanf(const char *format, va_list list) { return vfscanf(stdin, format, list); }
int __isoc99_vfscanf(void *stream, const char *format, va_list list) { return vfscanf(stream, format, list); }
int __isoc23_vfscanf(void *stream, const char *format, va_list list) { return vfscanf(stream, format, list); }
int __isoc99_vscanf(const char *format, va_list list) { return vfscanf(stdin, format, list); }
int __isoc23_vscanf(const char *format, va_list list) { return vfscanf(stdin, format, list); }
