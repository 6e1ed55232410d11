// Printing into wide characters: what does not fit is a failure, the number of digits is a fork.
//@ paths: 3
#include <assert.h>
#include <klee/klee.h>
#include <wchar.h>

int main(void) {
  wchar_t text[12];
  assert(swprintf(text, 12, L"%d|%-4s|%ls", 42, "ab", L"x\u20ac") == 10);
  assert(wcscmp(text, L"42|ab  |x\u20ac") == 0);
  assert(swprintf(text, 2, L"%ls", L"ab") == -1);
  unsigned char n;
  klee_make_symbolic(&n, 1, "n");
  int length = swprintf(text, 3, L"%u", n);
  assert(length == -1 || text[length] == 0);
  if (length == 2) {
    assert(text[1] - L'0' == n % 10);
  }
  return 0;
}
