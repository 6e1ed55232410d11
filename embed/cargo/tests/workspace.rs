//! `cargo effigy test` on a workspace of a few lines: members tell what they compare, libraries of ours and what only
//! compiles them do not, and what is linked without hooks is linked.

use std::path::Path;
use std::process::Command;

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
}

const MANIFEST: &str = r#"[workspace]
members = ["ours"]

[package]
name = "application"
version = "0.0.0"
edition = "2024"
build = "build.rs"

[dev-dependencies]
effigy-ours = { path = "ours" }
"#;

/// The hook of comparisons of four bytes, as `effigy-watch` has it, and a comparison of its own.
const OURS: &str = r#"
use std::sync::atomic::{AtomicU32, Ordering};
pub static HEARD: AtomicU32 = AtomicU32::new(0);
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_cmp4(a: u32, b: u32) { heard(a, b) }
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_const_cmp4(a: u32, b: u32) { heard(a, b) }
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_cmp1(_: u8, _: u8) {}
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_const_cmp1(_: u8, _: u8) {}
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_cmp2(_: u16, _: u16) {}
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_const_cmp2(_: u16, _: u16) {}
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_cmp8(_: u64, _: u64) {}
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_const_cmp8(_: u64, _: u64) {}
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_switch(_: u64, _: *const u64) {}
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_pc_guard(_: *mut u32) {}
#[unsafe(no_mangle)] extern "C" fn __sanitizer_cov_trace_pc_guard_init(_: *mut u32, _: *mut u32) {}
fn heard(a: u32, b: u32) { if a == 23063 || b == 23063 { HEARD.fetch_add(1, Ordering::SeqCst); } }
#[inline(never)] pub fn is_large(it: i32) -> bool { it > 1_000 }
"#;

const HEARS: &str = r#"
use effigy_ours::HEARD;
use std::sync::atomic::Ordering::SeqCst;
#[test] fn members_are_heard() {
    let it = std::hint::black_box(23063);
    assert!(effigy_ours::is_large(it));
    assert_eq!(HEARD.load(SeqCst), 0);
    assert!(application::is_large(it));
    assert_eq!(HEARD.load(SeqCst), std::env::var("HEARD").unwrap().parse().unwrap());
}
"#;

#[test]
fn members_tell_what_they_compare() {
    let folder = std::env::temp_dir().join(format!("effigy-cargo-{}", std::process::id()));
    let library = "/// ```\n/// assert!(application::is_large(5_000));\n/// ```\npub fn is_large(it: i32) -> bool { it > 2_000 }\n";
    write(
        &folder,
        &[
            ("Cargo.toml", MANIFEST),
            ("build.rs", "fn main() { println!(\"cargo::rerun-if-changed=build.rs\"); }"),
            ("src/lib.rs", library),
            ("src/main.rs", "fn main() { assert!(!application::is_large(1)); }"),
            ("tests/hears.rs", HEARS),
            ("tests/without.rs", "#[test] fn it() { assert!(!application::is_large(1)); }"),
            ("ours/Cargo.toml", "[package]\nname = \"effigy-ours\"\nversion = \"0.0.0\"\nedition = \"2024\"\n"),
            ("ours/src/lib.rs", OURS),
        ],
    );
    let run = |program: &str, arguments: &[&str], heard: &str| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&folder).env("HEARD", heard);
        command.env_remove("CARGO_TARGET_DIR").env_remove("RUSTDOCFLAGS").env("CARGO_NET_OFFLINE", "true");
        let out = command.output().expect("it runs");
        let text = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        (out.status.code(), text)
    };
    let effigy = env!("CARGO_BIN_EXE_cargo-effigy");
    let (code, text) = run(effigy, &["effigy", "test"], "1");
    assert_eq!(code, Some(0), "{text}");
    // The same workspace without it.
    let (code, text) = run("cargo", &["test", "--test", "hears"], "0");
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = run(effigy, &["effigy", "test", "--help"], "0");
    assert_eq!((code, text.contains("usage: cargo effigy test")), (Some(0), true), "{text}");
    // All else is for `effigy cargo`, whether it is there or not.
    let (code, text) = run(effigy, &["effigy", "bench"], "0");
    assert_eq!(code, Some(2), "{text}");
    std::fs::remove_dir_all(&folder).expect("the folder");
}
