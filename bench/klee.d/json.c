// The tokens of a JSON text, and whether its brackets are balanced.
#include <klee/klee.h>
#ifndef N
#define N 6
#endif
int main(void) {
  char text[N + 1];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[N] == 0);
  int tokens = 0, depth = 0;
  char open[N];
  for (int i = 0; text[i];) {
    char c = text[i];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      i++;
    } else if (c == '{' || c == '[') {
      open[depth++] = c;
      tokens++, i++;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return 1;
      if (open[--depth] != (c == '}' ? '{' : '[')) return 2;
      tokens++, i++;
    } else if (c == ':' || c == ',') {
      tokens++, i++;
    } else if (c == '"') {
      for (i++; text[i] != '"'; i++) {
        if (text[i] == 0) return 3;
        if (text[i] == '\\' && text[++i] == 0) return 4;
      }
      tokens++, i++;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      if (c == '-' && (text[i + 1] < '0' || text[i + 1] > '9')) return 5;
      for (i++; text[i] >= '0' && text[i] <= '9';) i++;
      tokens++;
    } else if (c == 't' && text[i + 1] == 'r' && text[i + 2] == 'u' && text[i + 3] == 'e') {
      tokens++, i += 4;
    } else if (c == 'n' && text[i + 1] == 'u' && text[i + 2] == 'l' && text[i + 3] == 'l') {
      tokens++, i += 4;
    } else {
      return 6;
    }
  }
  return depth ? 7 : tokens > 2 ? 8 : 0;
}
