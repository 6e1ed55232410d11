#include "parts.h"

Part::Part(int number) : number(number) {}
Part::~Part() {}
int Part::doubled() const { return 2 * number; }

extern "C" int of_library(int x) { return x + 1; }
extern "C" int other_name(int x) __attribute__((alias("of_library")));
extern "C" int third_name(int x) __attribute__((alias("other_name")));

int chosen(void) { return 1; }
