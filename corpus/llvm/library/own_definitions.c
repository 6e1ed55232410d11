//@ paths: 1
// What the program defines itself is not the library's.
#include <stddef.h>
size_t strlcpy(char *to, const char *from, size_t size) { (void)to, (void)from; return size + 1; }
char *strtok(char *s, const char *separators) { (void)separators; return s + 1; }
char *strsep(char **at, const char *separators);
int main(void) {
  char a[4] = "a,b", *at = a;
  char *first = strsep(&at, ",");
  return (int)strlcpy(a, "b", 4) + (strtok(a, ",") == a + 1) + (first == a && at == a + 2);
}
