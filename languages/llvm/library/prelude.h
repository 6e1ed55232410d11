/* What the sources of the library share. Nothing of the machine's headers: the sources are compiled for programs that
 * may come from elsewhere. Types are those of Linux on 64-bit machines. */
typedef unsigned long size_t;
typedef long ssize_t;
typedef int wchar_t;
typedef unsigned int wint_t;
typedef __builtin_va_list va_list;
#define NULL ((void *)0)
#define WEOF 0xffffffffu

void *malloc(size_t size);
void *realloc(void *at, size_t size);
void free(void *at);
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *at, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);
size_t strlen(const char *s);
char *strchr(const char *s, int c);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t count);
size_t strspn(const char *s, const char *set);
size_t strcspn(const char *s, const char *set);
int snprintf(char *to, size_t size, const char *format, ...);
int vsnprintf(char *to, size_t size, const char *format, va_list list);
double strtod(const char *s, char **end);
float strtof(const char *s, char **end);
int *__errno_location(void);
