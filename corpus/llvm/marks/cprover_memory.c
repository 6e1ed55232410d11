//@ paths: 4
//@ replay: the function is not there to be linked
// CBMC's primitives say of memory what is, and are no access themselves.
#include <assert.h>
#include <stdlib.h>
#include <effigy.h>
_Bool __CPROVER_r_ok(const void *, size_t), __CPROVER_w_ok(const void *, size_t), __CPROVER_rw_ok(const void *, size_t);
size_t __CPROVER_OBJECT_SIZE(const void *), __CPROVER_POINTER_OBJECT(const void *);
long __CPROVER_POINTER_OFFSET(const void *);
_Bool __CPROVER_same_object(const void *, const void *), __CPROVER_DYNAMIC_OBJECT(const void *), __CPROVER_LIVE_OBJECT(const void *);
int main(void) {
  char a[4], *d = malloc(8);
  const char *constant = "ab";
  size_t n = effigy_uchar("n"), i = effigy_uchar("i");
  assert(__CPROVER_r_ok(a, 4) && !__CPROVER_r_ok(a, 5) && !__CPROVER_r_ok(a + 2, 3) && !__CPROVER_r_ok(0, 1));
  assert(!__CPROVER_r_ok(a, -1) && __CPROVER_r_ok(a + 4, 0) && !__CPROVER_r_ok(a + 5, 0) && !__CPROVER_r_ok(a - 1, 1));
  assert(__CPROVER_r_ok(constant, 3) && !__CPROVER_w_ok(constant, 1));
  assert(__CPROVER_OBJECT_SIZE(d + 3) == 8 && __CPROVER_OBJECT_SIZE(0) == 0 && __CPROVER_POINTER_OFFSET(d + 3) == 3);
  assert(__CPROVER_same_object(a, a + 3) && !__CPROVER_same_object(a, d));
  assert(__CPROVER_POINTER_OBJECT(a) == __CPROVER_POINTER_OBJECT(a + 1) && __CPROVER_POINTER_OBJECT(a) != __CPROVER_POINTER_OBJECT(d));
  assert(__CPROVER_DYNAMIC_OBJECT(d) && !__CPROVER_DYNAMIC_OBJECT(a) && __CPROVER_LIVE_OBJECT(d));
  if (i < 4 && n < 6) {
    // For each symbolic place and size, what an access would find.
    if (__CPROVER_w_ok(a + i, n)) assert(i + n <= 4);
    else assert(i + n > 4);
  }
  free(d);
  assert(!__CPROVER_LIVE_OBJECT(d) && !__CPROVER_rw_ok(d, 1) && __CPROVER_DYNAMIC_OBJECT(d));
  return 0;
}
