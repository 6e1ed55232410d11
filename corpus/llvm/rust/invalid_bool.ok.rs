//@ entry: read
/// A byte and a truth value.
pub union Both {
    byte: u8,
    truth: bool,
}

#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
pub enum Colour {
    Red = 1,
    Green = 2,
    Blue = 4,
}

/// The values that the types have.
#[unsafe(no_mangle)]
pub extern "C" fn read(way: u8, a: u8, b: u32) -> u8 {
    match way {
        0 if a < 2 => {
            let it = Both { byte: a };
            unsafe { it.truth }.into()
        }
        1 if a < 2 => unsafe { *(&raw const a).cast::<bool>() }.into(),
        2 if b <= 0x10FFFF && !(0xD800..0xE000).contains(&b) => {
            unsafe { *(&raw const b).cast::<char>() }.is_ascii().into()
        }
        3 if a == 1 || a == 2 || a == 4 => u8::from(unsafe { *(&raw const a).cast::<Colour>() } == Colour::Green),
        // An Option of it has one value more.
        4 => match (if a == 4 { Some(Colour::Blue) } else { None }) {
            Some(_) => 1,
            None => 0,
        },
        _ => 0,
    }
}
