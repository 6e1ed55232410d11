//! Random C functions with memory, compared with what they do natively on every input.
//!
//! Knows: `effigy_programs::c_memory`.

use super::native_oracle::{Dialect, compare};
use effigy_programs::c_memory::{HEAD, function};

#[test]
fn what_fails_natively_is_found() {
    let dialect = Dialect {
        head: HEAD,
        function,
        extension: "c",
        compiler: "clang",
        flags: &[],
        // The functions free some of their blocks.
        run: &["--no-check", "leak"],
        is_merged: true,
    };
    compare(&dialect, 200);
}
