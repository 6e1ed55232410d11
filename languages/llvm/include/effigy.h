/* effigy.h: marks the inputs of a program, and what is assumed and asserted of them.
 *
 * Under `effigy run` the inputs stand for all values; under `effigy replay` they have those of a test. */
#ifndef EFFIGY_H
#define EFFIGY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `size` bytes at `at` an input. */
void effigy_symbolic(void *at, size_t size, const char *name);

/* A number of 1, 2, 4 or 8 bytes as input; see the typed functions below. */
unsigned long effigy_number(unsigned bytes, const char *name);
unsigned long effigy_natural(unsigned bytes, const char *name);

/* A number from 0 to n - 1. */
int effigy_choose(int n);

/* Only inputs with this condition matter. */
void effigy_assume(int condition);

/* Whether the value depends on an input. */
int effigy_is_symbolic(unsigned long value);

/* Drops this path without a test. */
void effigy_silent_exit(void);

void effigy_assert_failed(const char *text, const char *file, int line) __attribute__((noreturn));

#define effigy_assert(condition) ((condition) ? (void)0 : effigy_assert_failed(#condition, __FILE__, __LINE__))

static inline signed char effigy_char(const char *name) { return (signed char)effigy_number(1, name); }
static inline unsigned char effigy_uchar(const char *name) { return (unsigned char)effigy_natural(1, name); }
static inline short effigy_short(const char *name) { return (short)effigy_number(2, name); }
static inline unsigned short effigy_ushort(const char *name) { return (unsigned short)effigy_natural(2, name); }
static inline int effigy_int(const char *name) { return (int)effigy_number(4, name); }
static inline unsigned effigy_uint(const char *name) { return (unsigned)effigy_natural(4, name); }
static inline long effigy_long(const char *name) { return (long)effigy_number(8, name); }
static inline unsigned long effigy_ulong(const char *name) { return effigy_natural(8, name); }
static inline int effigy_bool(const char *name) { return (int)(effigy_natural(1, name) & 1); }

#ifdef __cplusplus
}
#endif
#endif
