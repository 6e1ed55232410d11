// A word is looked for in a text by Knuth, Morris and Pratt, and letter by letter.
#include <assert.h>
#include <klee/klee.h>
#ifndef N
#define N 9
#endif
static const char WORD[] = "ababc";
int main(void) {
  char text[N];
  klee_make_symbolic(text, sizeof text, "text");
  int failure[5] = {0};
  for (int i = 1, k = 0; i < 5; i++) {
    while (k > 0 && WORD[i] != WORD[k]) k = failure[k - 1];
    if (WORD[i] == WORD[k]) k++;
    failure[i] = k;
  }
  int found = -1;
  for (int i = 0, k = 0; i < N && found < 0; i++) {
    while (k > 0 && text[i] != WORD[k]) k = failure[k - 1];
    if (text[i] == WORD[k]) k++;
    if (k == 5) found = i - 4;
  }
  int first = -1;
  for (int i = 0; i + 5 <= N && first < 0; i++) {
    int j = 0;
    while (j < 5 && text[i + j] == WORD[j]) j++;
    if (j == 5) first = i;
  }
  assert(found == first);
  return found + 1;
}
