//! How a harness is found in a compiled program.

/// What a record says of a function. The numbers are read by `cargo effigy`.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HarnessKind {
    /// The function is a harness.
    Proof = 0,
    /// The harness must panic on some run.
    ShouldPanic = 1,
    /// The harness needs what is not supported; the record's name says what, behind a space.
    Refused = 2,
}

/// A record of a harness: a `#[used]` static whose name contains `EFFIGY_HARNESS`, so that the harness survives the
/// link wherever it stands. Its layout is read by `cargo effigy`.
#[repr(C)]
#[derive(Debug)]
pub struct Harness {
    kind: u32,
    line: u32,
    name: &'static u8,
    name_length: usize,
    file: &'static u8,
    file_length: usize,
    function: fn(),
}

impl Harness {
    /// The record of a function, by its path from the root of the crate and its place.
    pub const fn new(kind: HarnessKind, name: &'static str, file: &'static str, line: u32, function: fn()) -> Harness {
        let (name, file) = (name.as_bytes(), file.as_bytes());
        Harness {
            // Which of the two crates this is.
            kind: kind as u32 | if cfg!(kani_crate) { 16 } else { 0 },
            line,
            name: &name[0],
            name_length: name.len(),
            file: &file[0],
            file_length: file.len(),
            function,
        }
    }

    /// The function that is the harness.
    pub fn function(&self) -> fn() {
        self.function
    }
}

/// What a harness may return.
pub trait HarnessEnd {
    /// Panics where the harness has failed.
    fn check(self);
}

impl HarnessEnd for () {
    fn check(self) {}
}

impl<T, E: std::fmt::Debug> HarnessEnd for Result<T, E> {
    #[track_caller]
    fn check(self) {
        if let Err(error) = self {
            panic!("the harness returns Err({error:?})");
        }
    }
}
