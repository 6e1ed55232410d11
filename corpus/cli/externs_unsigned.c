#include <assert.h>
extern unsigned char inp(void);
int main(void) { assert(inp() != 200); }
