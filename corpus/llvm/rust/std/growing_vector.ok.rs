//@ entry: third
#[unsafe(no_mangle)]
pub extern "C" fn third(count: u8) -> u8 {
    let mut numbers = Vec::new();
    for number in 0..count.min(4) {
        numbers.push(number);
    }
    numbers.get(2).copied().unwrap_or(0)
}
