// A shift that an optimiser has moved before its condition, and one that is checked.
unsafe extern "C" {
    fn effigy_number(size: u64, name: *const u8) -> u64;
}
#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let n = unsafe { effigy_number(4, c"n".as_ptr().cast()) } as u32;
    let guarded = if n < 32 { 1u32 << n } else { 0 };
    let checked = 1u32.checked_shl(n).unwrap_or(0);
    if guarded != checked { panic!() }
    0
}
