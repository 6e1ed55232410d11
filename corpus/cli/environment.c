#include <stdlib.h>
int main(void) {
  char *s = getenv("PORT"), b[4];
  int i = 0;
  if (s != getenv("PORT")) abort();
  if (!s) return 0;
  while ((b[i] = s[i])) i++;
  return b[0];
}
