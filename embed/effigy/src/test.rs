//! What `#[effigy::test]` runs: the test, then what is asked for by the environment.
//!
//! Knows: `EFFIGY_TESTS`, `EFFIGY_OUT`, what `cargo test` shows. Never: how a test is walked or drawn.

use crate::pictures::pictures;
use crate::verify::{Options, verify};
use std::path::Path;

/// A test of `#[effigy::test]` in this module: panics unless every path passes. With `EFFIGY_OUT=folder` its pictures
/// are written to a folder there ([`crate::Pictures::write`]).
#[allow(clippy::print_stdout, reason = "what a test says is shown by `cargo test -- --nocapture`")]
pub fn test(module: &str, name: &str, options: &Options, is_async: bool, mut body: impl FnMut()) {
    let report = verify(name, options, is_async, &mut body);
    if let Some(folder) = std::env::var_os("EFFIGY_TESTS")
        && let Err(error) = report.write_tests(Path::new(&folder))
    {
        panic!("{report}\nthe plain tests cannot be written to {}: {error}", folder.display());
    }
    // What is not the same when it is run again has no tree.
    if let Some(folder) = std::env::var_os("EFFIGY_OUT")
        && report.account.error.is_none()
    {
        let pictures = pictures(&format!("{module}::{name}"), options, body).with_verdict(&report);
        if let Err(error) = pictures.write(Path::new(&folder)) {
            panic!("{report}\nits pictures cannot be written: {error}");
        }
    }
    assert!(report.account.is_ok(), "{report}");
    println!("{report}");
}
