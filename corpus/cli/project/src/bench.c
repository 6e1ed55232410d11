#include "half.h"
int main(void) { return half(WIDTH); }
