#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int sensor(void);
jmp_buf back;
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void) {
  char text[] = "c,b,a";
  if (setjmp(back)) return 1;
  qsort(text, strlen(text), 1, compare);
  puts(strtok(text, ","));
  return sensor() + rand();
}
