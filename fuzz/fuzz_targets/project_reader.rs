//! Any bytes are a compilation database, a record, an archive, a command line, or refused; never a crash.
#![no_main]

use effigy_llvm::driver::project::{build_target, kept_flags, members, read_database, read_record, shell_words};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    for command in read_database(bytes, Path::new("/build")).unwrap_or_default() {
        let flags = kept_flags(&command.arguments, &command.file);
        assert!(flags.kept.len() <= command.arguments.len() + 2);
        let _ = command.output.as_deref().and_then(build_target);
    }
    if let Ok(record) = read_record(bytes) {
        let text = serde_json::to_vec(&record).expect("it can be written");
        assert_eq!(read_record(&text), Ok(record));
    }
    let _ = members(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = shell_words(text);
    }
});
