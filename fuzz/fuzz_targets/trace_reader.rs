//! Any bytes are a trace, or refused; never a crash.
#![no_main]

use effigy_feasible::reader::{Format, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for format in [Format::Sarif, Format::Witness, Format::Plain] {
        let _ = read(data, Some(format), 1);
    }
});
