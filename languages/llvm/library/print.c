/* stdio.h: texts that are allocated. What is printed is made by the built-in vsnprintf. */
int vasprintf(char **to, const char *format, va_list list) {
  va_list again;
  __builtin_va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, again);
  __builtin_va_end(again);
  if (length < 0) return -1;
  char *text = malloc((size_t)length + 1);
  if (!text) return -1;
  vsnprintf(text, (size_t)length + 1, format, list);
  *to = text;
  return length;
}

int asprintf(char **to, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int res = vasprintf(to, format, list);
  __builtin_va_end(list);
  return res;
}

int __vasprintf_chk(char **to, int flag, const char *format, va_list list) {
  (void)flag;
  return vasprintf(to, format, list);
}

int __asprintf_chk(char **to, int flag, const char *format, ...) {
  (void)flag;
  va_list list;
  __builtin_va_start(list, format);
  int res = vasprintf(to, format, list);
  __builtin_va_end(list);
  return res;
}
