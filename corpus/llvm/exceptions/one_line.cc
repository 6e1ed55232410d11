// A condition on the line on which its function ends by taking an exception further.
//@ paths: 2
#include <effigy.h>

struct V { int n = 3; ~V() { n = 0; } int &at(int k) { if (k >= n) throw 1; return n; } };

int main() { unsigned char x = effigy_uchar("x");
    V v; try { v.at(x % 4) = 1; } catch (const int &) { return 1; } return 0; }
