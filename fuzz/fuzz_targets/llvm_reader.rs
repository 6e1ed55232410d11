//! Any text is a module or an error with a place.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Err(error) = effigy_llvm::reader::read(text) {
        assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty());
    }
    // A part of it may be one or not, and so may what it says of harnesses.
    let part = effigy_llvm::reachable::from(text, &["main"].into_iter().collect());
    assert!(part.len() <= text.len() + "declare ".len() * text.len());
    let _ = effigy_llvm::harnesses::find("fuzz", text);
});
