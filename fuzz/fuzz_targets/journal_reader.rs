//! Any bytes are a journal with the names of paths in it, or refused with a line; any text is a name or refused.
#![no_main]

use effigy_engine::PathName;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let _ = effigy_report::journal::read_from(bytes, Path::new("walk.jsonl"));
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(name) = text.parse::<PathName>()
    {
        assert_eq!(name.text().parse(), Ok(name));
    }
});
