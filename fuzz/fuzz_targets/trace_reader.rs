//! Any bytes are a trace, or refused; never a crash.
#![no_main]

use effigy_feasible::reader::{TraceFormat, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for format in [TraceFormat::Sarif, TraceFormat::Witness, TraceFormat::Plain] {
        let _ = read(data, Some(format), 1);
    }
});
