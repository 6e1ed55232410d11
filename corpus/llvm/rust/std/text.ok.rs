//@ entry: first
//@ incomplete: (in core::str::converts::from_utf8) depends on where objects lie
//@ apart: the order and the places of merged nodes depend on where objects lie
#[unsafe(no_mangle)]
pub extern "C" fn first(a: u8, b: u8) -> usize {
    let bytes = [a, b];
    let Ok(text) = std::str::from_utf8(&bytes) else { return 0 };
    text.chars().next().map_or(0, char::len_utf8)
}
