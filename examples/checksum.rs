//! Adds up the fields of a message like "3,4,250"; `effigy run --entry checksum examples/checksum.rs` finds where it panics.

/// The number in front of `text`, and what follows it.
fn number(text: &[u8]) -> (u8, &[u8]) {
    let mut value = 0;
    let mut at = 0;
    while at < text.len() && text[at].is_ascii_digit() {
        value = value * 10 + (text[at] - b'0');
        at += 1;
    }
    (value, &text[at..])
}

#[unsafe(no_mangle)]
pub extern "C" fn checksum(a: u8, b: u8, c: u8) -> u8 {
    let message = [a, b, c];
    let (first, rest) = number(&message);
    let (second, _) = if rest.len() > 1 { number(&rest[1..]) } else { (0, rest) };
    first ^ second
}
