//! What rustc has a panic say.

#[unsafe(no_mangle)]
pub fn chosen((first, second): (u8, i16), mut third: u32, maybe: Option<u8>) -> u32 {
    if first > 200 && second < -5 {
        panic!("boom");
    }
    third += 1;
    if third % 7 == 3 {
        panic!("no {third} here");
    }
    match maybe {
        Some(it) if it > 100 => third,
        _ => 0,
    }
}
