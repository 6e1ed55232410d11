#include <stdlib.h>

int *made(void) {
  return malloc(sizeof(int));
}
