//@ entry: read
/// What a box held is read after it was dropped.
#[unsafe(no_mangle)]
pub extern "C" fn read(a: u8) -> u8 {
    let raw = Box::into_raw(Box::new(a));
    if a == 3 {
        drop(unsafe { Box::from_raw(raw) });
    }
    let res = unsafe { *raw }; //~ bug: use-after-free
    if a != 3 {
        drop(unsafe { Box::from_raw(raw) });
    }
    res
}
