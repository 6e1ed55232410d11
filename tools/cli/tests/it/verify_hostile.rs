//! Whatever a file holds, `effigy verify` says what is wrong with it or gives a verdict: no panic, no stack that
//! overflows, in seconds.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// A file far larger than anybody writes may take so long on a slow machine without optimisation.
const PATIENCE: Duration = Duration::from_secs(100);

/// The exit code and what was printed for a file with this text.
fn verify(name: &str, text: &[u8]) -> (i32, String) {
    let folder = std::env::temp_dir().join(format!("effigy-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let path: PathBuf = folder.join(name);
    std::fs::write(&path, text).expect("a file can be written");
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .args(["verify", "--no-cache", "--time-limit", "20s"])
        .arg(&path)
        .output()
        .expect("effigy starts");
    assert!(start.elapsed() < PATIENCE, "{name}");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(!said.contains("panicked") && !said.contains("overflow"), "{name}: {said}");
    (output.status.code().unwrap_or(-1), said)
}

#[track_caller]
fn refused(name: &str, text: &[u8], why: &str) {
    let (code, said) = verify(name, text);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains(why), "{said}");
}

#[test]
fn ten_thousand_parentheses_are_too_deep() {
    let nested = format!("{}true{}", "(".repeat(10_000), ")".repeat(10_000));
    refused("deep.vpr", format!("method m() {{ assert {nested} }}").as_bytes(), "nested too deeply");
    refused("deep.oo", format!("class C {{ void m() {{ assert {nested}; }} }}").as_bytes(), "nested too deeply");
}

#[test]
fn a_method_of_a_megabyte_is_verified() {
    let body = "  x.f := x.f + 1\n".repeat(65_000);
    let text = format!("field f: Int\nmethod m(x: Ref)\n  requires acc(x.f)\n{{\n{body}}}\n");
    assert!(text.len() > 1 << 20);
    assert_eq!(verify("long.vpr", text.as_bytes()).0, 0);
    let body = "    f := f + 1;\n".repeat(70_000);
    let text = format!("class C {{\n  int f;\n  void m()\n    requires acc(f);\n  {{\n{body}  }}\n}}\n");
    assert!(text.len() > 1 << 20);
    assert_eq!(verify("long.oo", text.as_bytes()).0, 0);
}

#[test]
fn what_is_no_text_is_refused() {
    for name in ["bytes.vpr", "bytes.oo"] {
        refused(name, b"method m() { assert tr\xff\xfe }\n", "UTF-8 text was expected");
        refused(name, &[0; 100_000], "error");
    }
}

#[test]
fn nonsense_is_refused() {
    // The same bytes in every run.
    let mut state = 1_u32;
    let nonsense: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b' ' + (state >> 24) as u8 % 95
    })
    .take(200_000)
    .collect();
    for name in ["nonsense.vpr", "nonsense.oo"] {
        refused(name, &nonsense, "error");
    }
}

#[test]
fn macros_that_double_are_stopped() {
    let mut text = "define A0(x) x\n".to_owned();
    for at in 1..60 {
        text.push_str(&format!("define A{at}(x) (A{}(x) && A{}(x))\n", at - 1, at - 1));
    }
    text.push_str("method m() { assert A59(true) }\n");
    refused("double.vpr", text.as_bytes(), "macros expand to too much");
}
