//! Random C++ programs with exceptions: on the inputs of each path the native program prints what was predicted, and
//! ends as predicted.
//!
//! Knows: `effigy_programs::cpp_exceptions`; clang, through `effigy replay`.
//! EFFIGY_CASES_TIMES says how many times 40 are tried; EFFIGY_FIRST which is the first.

use super::native_oracle::source;
use effigy_programs::cpp_exceptions::program;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Runs the command, whose standard output is JSON.
fn json(command: &mut Command) -> Result<Value, String> {
    let output = command.output().map_err(|it| it.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = || format!("{:?}: {text}{}", output.status.code(), String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text).map_err(|_| errors())
}

/// How many paths end natively as they should.
fn check(source: &[u8], file: &Path) -> Result<u64, String> {
    std::fs::write(file, program(source)).map_err(|it| it.to_string())?;
    let out = file.with_extension("out");
    let _ = std::fs::remove_dir_all(&out);
    let mut run = Command::new(env!("CARGO_BIN_EXE_effigy"));
    run.arg("run")
        .arg(file)
        .args(["--json", "--jobs", "1", "--max-time", "20s", "--max-paths", "30", "--out"])
        .arg(&out);
    json(run.args(["--", "-w", "-std=c++17"]))?;
    let mut replay = Command::new(env!("CARGO_BIN_EXE_effigy"));
    let document = json(replay.arg("replay").arg("--json").arg(&out))?;
    let count = |name: &str| document[name].as_u64().unwrap_or(0);
    match count("differ") {
        0 => Ok(count("agree")),
        _ => Err(document.to_string()),
    }
}

/// What describes a program: classes and functions take more choices than an expression does.
fn bytes(number: u64) -> Vec<u8> {
    [source(number), source(number + 1_000_000)].concat()
}

#[test]
fn an_exception_takes_the_way_that_it_takes_natively() {
    let first = std::env::var("EFFIGY_FIRST").ok().and_then(|it| it.parse().ok()).unwrap_or(0u64);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle_exceptions");
    std::fs::create_dir_all(&folder).unwrap();
    let mut replayed = 0;
    for number in first..first + u64::from(effigy_programs::cases(40)) {
        let file = folder.join(format!("program{number}.cpp"));
        match check(&bytes(number), &file) {
            Ok(count) => replayed += count,
            Err(why) => panic!("program {number}: {why}\n{}", program(&bytes(number))),
        }
    }
    assert!(replayed > 40, "{replayed} paths were replayed");
}
