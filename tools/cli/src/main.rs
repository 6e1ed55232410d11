//! The effigy command.

fn main() {}
