/// What the C program of the same name calls.
#[unsafe(no_mangle)]
pub extern "C" fn twice(n: u8) -> u8 {
    n * 2
}
