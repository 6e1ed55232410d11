// Wide characters.
#include <effigy.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>
int main(void) {
  wchar_t s[8] = L"ab";
  wchar_t c = effigy_uchar("c");
  effigy_assume(c != 0);
  s[2] = c;
  if (wcslen(s) != 3 || wcschr(s, c) > s + 2) abort();
  if (iswdigit(c) && !iswalnum(c)) abort();
  if (towlower(towupper(c)) != towlower(c)) abort();
  return wcscmp(s, L"abc") == 0 ? 1 : wcsncmp(s, L"abc", 2);
}
