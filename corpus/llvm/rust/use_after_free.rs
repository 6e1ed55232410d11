//@ entry: read
//! The optimiser of LLVM takes the read away, and the bug with it.

#[unsafe(no_mangle)]
pub extern "C" fn read(a: u8, b: u8) {
    let p = Box::into_raw(Box::new(a));
    if b == 3 {
        drop(unsafe { Box::from_raw(p) });
    }
    std::hint::black_box(unsafe { *p }); //~ bug: use-after-free
    if b != 3 {
        drop(unsafe { Box::from_raw(p) });
    }
}
