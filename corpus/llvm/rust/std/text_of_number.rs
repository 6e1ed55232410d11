//@ entry: length
/// Three digits are longer than two.
#[unsafe(no_mangle)]
pub extern "C" fn length(number: u8) {
    let text = format!("{number}");
    assert!(text.len() <= 2, "{text} is too long"); //~ bug: panic
}
