//@ entry: smallest
#[unsafe(no_mangle)]
pub extern "C" fn smallest(a: i8, b: i8, c: i8) {
    let mut numbers = vec![a, b, c];
    numbers.sort();
    assert!(numbers[0] <= numbers[1] && numbers[1] <= numbers[2]);
}
