//@ entry: rest
/// A promise that is not kept.
#[unsafe(no_mangle)]
pub extern "C" fn rest(a: u8) -> u8 {
    match a % 4 {
        0 => 1,
        1 => 2,
        2 => 3,
        _ => unsafe { std::hint::unreachable_unchecked() }, //~ bug: undefined-behaviour
    }
}
