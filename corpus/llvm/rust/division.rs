//@ entry: ratio
#[unsafe(no_mangle)]
pub extern "C" fn ratio(a: u32, b: u32) -> u32 {
    let Some(difference) = a.checked_sub(b) else { return 0 };
    a / difference //~ bug: panic
}
