/* wchar.h: printing into wide characters, in the C locale. Numbers are made by the built-in snprintf. */
struct wide_room {
  wchar_t *to;
  size_t size, at;
};

/* What does not fit is counted. */
static void put_wide(struct wide_room *it, wchar_t c) {
  if (it->at < it->size) it->to[it->at] = c;
  it->at++;
}

static void put_spaces(struct wide_room *it, long count) {
  while (count-- > 0) put_wide(it, ' ');
}

/* `%s` and `%ls`: at most `precision` characters of one of them, in `width`. Whether each can be written. */
static int put_texts(struct wide_room *it, const char *narrow, const wchar_t *wide, long precision, long width, int left) {
  long length = 0;
  while ((precision < 0 || length < precision) && (narrow ? narrow[length] != 0 : wide[length] != 0)) {
    if (narrow && narrow[length] < 0) return 0;
    length++;
  }
  if (!left) put_spaces(it, width - length);
  for (long at = 0; at < length; at++) put_wide(it, narrow ? narrow[at] : wide[at]);
  if (left) put_spaces(it, width - length);
  return 1;
}

int vswprintf(wchar_t *to, size_t size, const wchar_t *format, va_list given) {
  struct wide_room it = {to, size, 0};
  va_list list;
  __builtin_va_copy(list, given);
  int works = 1;
  for (; works && *format; format++) {
    if (*format != '%') {
      put_wide(&it, *format);
      continue;
    }
    /* The conversion in narrow characters, with its width and its precision as arguments. */
    char narrow[24], text[512];
    size_t n = 0;
    int left = 0, longs = 0, shorts = 0;
    long width = 0, precision = -1;
    narrow[n++] = '%';
    for (format++; *format == '-' || *format == '+' || *format == ' ' || *format == '#' || *format == '0'; format++) {
      left |= *format == '-';
      if (n < 8) narrow[n++] = (char)*format;
    }
    if (*format == '*') {
      width = __builtin_va_arg(list, int);
      if (width < 0) left = 1, width = -width, narrow[n++] = '-';
      format++;
    } else {
      for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + (*format - '0');
    }
    if (*format == '.') {
      precision = 0;
      if (*++format == '*') {
        precision = __builtin_va_arg(list, int);
        format++;
      } else {
        for (; *format >= '0' && *format <= '9'; format++) precision = precision * 10 + (*format - '0');
      }
    }
    for (;; format++) {
      if (*format == 'l') longs++;
      else if (*format == 'j' || *format == 'z' || *format == 't' || *format == 'q') longs = 2;
      else if (*format == 'L') longs = 3;
      else if (*format == 'h') shorts++;
      else break;
    }
    narrow[n++] = '*', narrow[n++] = '.', narrow[n++] = '*';
    for (int i = 0; i < shorts && i < 2; i++) narrow[n++] = 'h';
    int made = 0;
    switch (*format) {
      case '%': put_wide(&it, '%'); continue;
      case 'c': {
        wint_t c = __builtin_va_arg(list, wint_t);
        works = longs || c < 128;
        if (!left) put_spaces(&it, width - 1);
        put_wide(&it, (wchar_t)c);
        if (left) put_spaces(&it, width - 1);
        continue;
      }
      case 's':
        if (longs) {
          const wchar_t *wide = __builtin_va_arg(list, const wchar_t *);
          works = put_texts(&it, NULL, wide ? wide : L"(null)", precision, width, left);
        } else {
          const char *text = __builtin_va_arg(list, const char *);
          works = put_texts(&it, text ? text : "(null)", NULL, precision, width, left);
        }
        continue;
      case 'd': case 'i': case 'u': case 'o': case 'x': case 'X':
        if (longs) narrow[n++] = 'l';
        narrow[n++] = (char)*format, narrow[n] = 0;
        made = longs ? snprintf(text, sizeof text, narrow, (int)width, (int)precision, __builtin_va_arg(list, long))
                     : snprintf(text, sizeof text, narrow, (int)width, (int)precision, __builtin_va_arg(list, int));
        break;
      case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        if (longs == 3) {
          works = 0;
          continue;
        }
        narrow[n++] = (char)*format, narrow[n] = 0;
        made = snprintf(text, sizeof text, narrow, (int)width, (int)precision, __builtin_va_arg(list, double));
        break;
      case 'p':
        /* Without a precision, which it does not have. */
        narrow[n - 2] = 'p', narrow[n - 1] = 0;
        made = snprintf(text, sizeof text, narrow, (int)width, __builtin_va_arg(list, void *));
        break;
      default: works = 0; continue;
    }
    works = made >= 0 && (size_t)made < sizeof text;
    for (int i = 0; works && i < made; i++) put_wide(&it, text[i]);
  }
  __builtin_va_end(list);
  /* Unlike snprintf, it fails where there is no room for all. */
  if (size == 0) return -1;
  to[it.at < size ? it.at : size - 1] = 0;
  return works && it.at < size ? (int)it.at : -1;
}

int swprintf(wchar_t *to, size_t size, const wchar_t *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int res = vswprintf(to, size, format, list);
  __builtin_va_end(list);
  return res;
}
