//@ entry: eval
pub enum Op {
    Add(i32),
    Sub(i32),
    Nop,
}

fn decode(byte: u8, arg: i32) -> Op {
    match byte {
        0 => Op::Add(arg),
        1 => Op::Sub(arg),
        _ => Op::Nop,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn eval(code: u8, arg: i32, acc: i32) -> i32 {
    match decode(code, arg) {
        Op::Add(x) => acc.wrapping_add(x),
        Op::Sub(x) => acc.wrapping_sub(x),
        Op::Nop => acc,
    }
}
