//! Random C programs: what was predicted for each path is what the compiler's program does on its inputs.
//!
//! EFFIGY_PROGRAMS says how many are tried, EFFIGY_FIRST which is the first.

use effigy_programs::c::program;
use std::process::Command;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

fn effigy(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy")).args(args).output().expect("effigy starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn random_programs_do_what_was_predicted() {
    let first = number("EFFIGY_FIRST", 1);
    let folder = std::env::temp_dir().join(format!("effigy-random-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut failures = Vec::new();
    for seed in first..first + number("EFFIGY_PROGRAMS", 12) {
        let file = folder.join(format!("program{seed}.c"));
        std::fs::write(&file, program(seed)).expect("the program can be written");
        let out = folder.join(format!("out{seed}"));
        let (file, out) = (file.to_string_lossy().into_owned(), out.to_string_lossy().into_owned());
        let limits = ["--max-paths", "40", "--max-time", "10s", "--solver-timeout", "2s"];
        let mut args = vec!["run", &file, "--quiet", "--out", &out];
        args.extend(limits);
        args.extend(["--", "-w"]);
        let (code, text) = effigy(&args);
        if !matches!(code, Some(0 | 1 | 3)) {
            failures.push(format!("{file}: run ends with {code:?}: {text}"));
            continue;
        }
        let (code, text) = effigy(&["replay", &out]);
        if code != Some(0) {
            failures.push(format!("{file}: {text}"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    let _ = std::fs::remove_dir_all(folder);
}
