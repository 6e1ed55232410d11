//! Where values come from: from Effigy, or from a recorded counterexample.

use std::panic::Location;

#[cfg(effigy)]
mod engine {
    // Effigy's own functions: they have no body in any library.
    unsafe extern "C" {
        pub(super) fn effigy_rust_any(at: *mut u8, size: usize, kind: *const u8, kind_length: usize, place: *const u8);
        pub(super) fn effigy_assume(condition: i32);
        pub(super) fn effigy_rust_cover(condition: bool, message: *const u8, length: usize, place: *const u8);
    }
}

/// Fills `size` bytes at `at`, which become a value of the type that is called `kind`.
///
/// # Safety
/// `at` must be valid for writes of `size` bytes.
#[cfg(effigy)]
pub(crate) unsafe fn fill(at: *mut u8, size: usize, kind: &'static str, place: &'static Location<'static>) {
    // SAFETY: the caller's promise; the names are texts that live for ever.
    unsafe { engine::effigy_rust_any(at, size, kind.as_ptr(), kind.len(), (&raw const *place).cast()) }
}

#[cfg(effigy)]
pub(crate) fn assume(condition: bool) {
    // SAFETY: it takes a number and returns, or ends the run.
    unsafe { engine::effigy_assume(i32::from(condition)) }
}

#[cfg(effigy)]
pub(crate) fn cover(condition: bool, message: &'static str, place: &'static Location<'static>) {
    // SAFETY: the text lives for ever.
    unsafe { engine::effigy_rust_cover(condition, message.as_ptr(), message.len(), (&raw const *place).cast()) }
}

#[cfg(not(effigy))]
thread_local! {
    static VALUES: std::cell::RefCell<Option<std::vec::IntoIter<Vec<u8>>>> = const { std::cell::RefCell::new(None) };
}

#[cfg(not(effigy))]
pub(crate) unsafe fn fill(at: *mut u8, size: usize, kind: &'static str, _: &'static Location<'static>) {
    let value = VALUES.with_borrow_mut(|it| it.as_mut().map(Iterator::next));
    let value = value.expect("a value of `any` stands for all values under `cargo effigy` only");
    let value = value.unwrap_or_else(|| panic!("no value was recorded for this {kind}"));
    assert_eq!(value.len(), size, "the recorded value is not one of {kind}");
    // SAFETY: the caller's promise, and the value has that many bytes.
    unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), at, size) }
}

#[cfg(not(effigy))]
pub(crate) fn assume(condition: bool) {
    assert!(condition, "the recorded values do not satisfy an assumption");
}

#[cfg(not(effigy))]
pub(crate) fn cover(_: bool, _: &'static str, _: &'static Location<'static>) {}

/// Runs a harness on recorded values: the first is the first that [`crate::any`] is asked for, in the bytes of this machine.
pub fn concrete_playback_run<F: FnOnce()>(values: Vec<Vec<u8>>, harness: F) {
    #[cfg(not(effigy))]
    VALUES.set(Some(values.into_iter()));
    #[cfg(effigy)]
    drop(values);
    harness();
}
