//! The hooks that a compiler calls, and the comparison of bytes that it calls instead of its own.
//!
//! Knows: LLVM's names and C's. Never: what becomes of an operand (`operands`).
//!
//! A hook never unwinds: the compiler takes it for something that does not.

use crate::operands;

macro_rules! compares {
    ($($name:ident: $type:ty, $constant:literal;)*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name(a: $type, b: $type) {
            operands::number(u64::from(a), u64::from(b), <$type>::BITS, $constant);
        }
    )* };
}

compares! {
    __sanitizer_cov_trace_cmp1: u8, false;
    __sanitizer_cov_trace_cmp2: u16, false;
    __sanitizer_cov_trace_cmp4: u32, false;
    __sanitizer_cov_trace_cmp8: u64, false;
    __sanitizer_cov_trace_const_cmp1: u8, true;
    __sanitizer_cov_trace_const_cmp2: u16, true;
    __sanitizer_cov_trace_const_cmp4: u32, true;
    __sanitizer_cov_trace_const_cmp8: u64, true;
}

/// The number of cases, the width of the value, the cases.
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_trace_switch(value: u64, cases: *const u64) {
    // SAFETY: the compiler passes an array that begins with the number of its cases.
    let (bits, cases) = unsafe { (*cases.add(1), std::slice::from_raw_parts(cases.add(2), *cases as usize)) };
    operands::switch(value, bits as u32, cases);
}

/// The hook at the beginning of a function.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc_guard(_: *mut u32) {
    operands::entered();
}

#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc_guard_init(_: *mut u32, _: *mut u32) {}

/// # Safety
/// As C's: both have so many bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
    if count == 0 {
        return 0;
    }
    // SAFETY: the caller's.
    let (a, b) = unsafe { (std::slice::from_raw_parts(a, count), std::slice::from_raw_parts(b, count)) };
    operands::bytes(a, b);
    // Nothing here may compare slices: that would be this function.
    let mut at = 0;
    while at < count {
        if a[at] != b[at] {
            return i32::from(a[at]) - i32::from(b[at]);
        }
        at += 1;
    }
    0
}

/// # Safety
/// As that of `memcmp`.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
    // SAFETY: the caller's.
    unsafe { memcmp(a, b, count) }
}
