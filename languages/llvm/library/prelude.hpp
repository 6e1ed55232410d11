/* What the C++ sources of the library share. Nothing of the machine's headers: the sources are compiled for programs that
 * may come from elsewhere. Types are those of Linux on 64-bit machines. */
typedef unsigned long size_t;
typedef long ptrdiff_t;
#define NULL nullptr

extern "C" {
void *malloc(size_t size);
void free(void *at);
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *at, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int snprintf(char *to, size_t size, const char *format, ...);
[[noreturn]] void abort(void);
}
