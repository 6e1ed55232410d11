//! Any text is a Viper program or refused; nothing panics or hangs.
#![no_main]

use effigy_viper::{NoImports, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = read("fuzz.vpr", text, &mut NoImports);
});
