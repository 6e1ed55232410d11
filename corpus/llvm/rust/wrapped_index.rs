//@ entry: get
//@ flags: -- -Cdebug-assertions=off
#[unsafe(no_mangle)]
pub extern "C" fn get(way: u8, i: usize) -> u32 {
    let a = [1u32, 2, 3, 4];
    let at = a.as_ptr();
    match way {
        // The distance of this index in bytes is 4 modulo 2 to the power of 64.
        0 if i == (1 << 62) + 1 => unsafe { *at.add(i) }, //~ bug: out-of-bounds-read
        1 if i == (1 << 62) + 1 => unsafe { *at.wrapping_add(i) },
        // One before the end by the largest number that there is.
        2 if i == usize::MAX => unsafe { *at.add(4).add(i) }, //~ bug: out-of-bounds-read
        3 if i == 1 => unsafe { *at.add(4).sub(i) },
        4 if i < 4 => a[i],
        _ => 0,
    }
}
