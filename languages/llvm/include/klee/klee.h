/* klee/klee.h: the functions under which KLEE's users know what effigy.h offers, so that their programs run as they
 * are. Written from the functions' documented meaning. */
#ifndef EFFIGY_KLEE_H
#define EFFIGY_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void klee_make_symbolic(void *at, size_t size, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
void klee_assume(uintptr_t condition);
unsigned klee_is_symbolic(uintptr_t value);
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix) __attribute__((noreturn));
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_mark_global(void *object);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_stack_trace(void);
void klee_set_forking(unsigned enable);
void klee_check_memory_access(const void *at, size_t size);
void klee_open_merge(void);
void klee_close_merge(void);
int32_t klee_get_value_i32(int32_t value);
long long klee_get_value_i64(long long value);
float klee_get_value_f(float value);
double klee_get_value_d(double value);
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
uintptr_t klee_choose(uintptr_t n);
size_t klee_get_obj_size(void *at);
int klee_get_errno(void);
unsigned klee_is_replay(void);
void klee_define_fixed_object(void *at, size_t size);

#define klee_assert(condition) \
  ((condition) ? (void)0 : klee_report_error(__FILE__, __LINE__, "the assertion `" #condition "` fails", "assert.err"))

#ifdef __cplusplus
}
#endif
#endif
