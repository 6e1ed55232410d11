//@ entry: first
//@ incomplete: (in core::str::converts::from_utf8) depends on where objects lie
//@ apart: the order and the places of merged nodes depend on where objects lie
/// A text that is cut within a character.
#[unsafe(no_mangle)]
pub extern "C" fn first(a: u8, b: u8) -> usize {
    let bytes = [a, b];
    let Ok(text) = std::str::from_utf8(&bytes) else { return 0 };
    text[..1].len() //~ bug: panic
}
