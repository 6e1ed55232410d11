//@ entry: third
/// A vector grows on the heap, and an index behind its end is blamed on this file.
#[unsafe(no_mangle)]
pub extern "C" fn third(count: u8) -> u8 {
    let mut numbers = Vec::new();
    for number in 0..count.min(4) {
        numbers.push(number);
    }
    numbers[2] //~ bug: panic
}
