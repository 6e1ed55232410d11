//@ entry: largest
#[unsafe(no_mangle)]
pub extern "C" fn largest(a: u8, b: u8, c: u8) -> u8 {
    let bytes: Vec<u8> = vec![a, b, c];
    let mut res = 0;
    for byte in &bytes {
        if *byte > res {
            res = *byte;
        }
    }
    assert!(res >= a && res >= b && res > c); //~ bug: panic
    res
}
