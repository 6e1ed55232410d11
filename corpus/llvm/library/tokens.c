// strtok cuts an input at its separators.
#include <effigy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char s[6] = "";
  effigy_symbolic(s, 3, "s");
  char copy[6];
  memcpy(copy, s, sizeof s);
  int count = 0;
  char *rest;
  for (char *part = strtok(s, ","); part; part = strtok(NULL, ",")) count++;
  for (char *part = strtok_r(copy, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
    if (!*part || strchr(part, ',')) abort();
    count--;
  }
  if (count) abort();
  char text[] = "a::b", *at = text;
  while (at) printf("<%s>", strsep(&at, ":"));
  return 0;
}
