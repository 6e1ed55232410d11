//@ entry: read
#[repr(C)]
pub union Bytes {
    byte: u8,
    word: u32,
}

#[unsafe(no_mangle)]
pub extern "C" fn read(a: u8) -> u32 {
    let it = Bytes { byte: a };
    if unsafe { it.word } > 1000 { //~ bug: uninitialised-value
        return 1;
    }
    0
}
