//@ entry: smallest
/// The order is that of the keys, and not of the numbers.
#[unsafe(no_mangle)]
pub extern "C" fn smallest(a: i8, b: i8, c: i8) {
    let mut numbers = [a, b, c];
    numbers.sort_by_key(|it| it.unsigned_abs());
    assert!(numbers[0] <= numbers[2]); //~ bug: panic
}
