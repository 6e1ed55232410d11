//! Random C++ functions with containers, objects and exceptions, compared with what they do natively on every input.
//!
//! Knows: `effigy_programs::cpp_objects`. In `make test-all` 300 functions and more are tried.

use super::native_oracle::{Dialect, compare};
use effigy_programs::cpp_objects::{HEAD, function};

#[test]
fn what_fails_natively_is_found() {
    let flags = &["-std=c++17", "-fno-sanitize=vptr", "-D_GLIBCXX_SANITIZE_VECTOR=1"];
    let dialect =
        Dialect { head: HEAD, function, extension: "cpp", compiler: "clang++", flags, run: &[], is_merged: false };
    compare(&dialect, 20);
}
