//@ entry: read
/// A byte and a truth value.
pub union Both {
    byte: u8,
    truth: bool,
}

#[derive(Clone, Copy, PartialEq)] //~ bug: undefined-behaviour
#[repr(u8)]
pub enum Colour {
    Red = 1,
    Green = 2,
    Blue = 4,
}

fn through_union(a: u8) -> bool {
    let it = Both { byte: a };
    unsafe { it.truth } //~ bug: unreachable-reached
}

fn through_pointer(a: &u8) -> bool {
    let at = (a as *const u8).cast::<bool>();
    unsafe { *at } //~ bug: undefined-behaviour
}

fn character(a: &u32) -> char {
    let at = (a as *const u32).cast::<char>();
    unsafe { *at } //~ bug: undefined-behaviour
}

fn colour(a: &u8) -> bool {
    let at = (a as *const u8).cast::<Colour>();
    unsafe { *at == Colour::Green }
}

#[unsafe(no_mangle)]
pub extern "C" fn read(way: u8, a: u8, b: u32) -> u8 {
    match way {
        0 => through_union(a).into(),
        1 => through_pointer(&a).into(),
        2 => character(&b).is_ascii().into(),
        3 => colour(&a).into(),
        _ => 0,
    }
}
