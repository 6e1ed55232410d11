//@ flags: --max-fail 1 --sym-stdin 1
use std::io::Read;

/// A read that fails is the program's to handle.
fn main() {
    let mut byte = [0u8];
    std::io::stdin().read(&mut byte).unwrap(); //~ bug: panic
}
