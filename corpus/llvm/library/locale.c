/* There is the locale of C. */
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  if (strcmp(setlocale(LC_ALL, ""), "C") != 0) abort();
  if (setlocale(LC_CTYPE, "no such locale")) abort();
  if (strcmp(nl_langinfo(DAY_1), "Sunday") != 0 || MB_CUR_MAX != 1) abort();
  struct lconv *conventions = localeconv();
  if (strcmp(conventions->decimal_point, ".") != 0 || *conventions->thousands_sep || *conventions->grouping) abort();
  if (conventions->frac_digits != CHAR_MAX || conventions->int_n_sign_posn != CHAR_MAX) abort();
  return 0;
}
