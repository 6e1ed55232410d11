//! Random C programs with floats: on the inputs of each path the native program prints the bits that were predicted, and
//! ends as predicted; without LLVM's optimiser and with it.
//!
//! Knows: `effigy_programs::c_floats`; clang, through `effigy replay`.
//! EFFIGY_CASES_TIMES says how many times 12 are tried; EFFIGY_FIRST which is the first.

use super::native_oracle::source;
use effigy_programs::c_floats::program;
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
fn check(source: &[u8], file: &Path, level: &str) -> Result<u64, String> {
    std::fs::write(file, program(source)).map_err(|it| it.to_string())?;
    let out = file.with_extension("out");
    let _ = std::fs::remove_dir_all(&out);
    let mut run = Command::new(env!("CARGO_BIN_EXE_effigy"));
    run.arg("run")
        .arg(file)
        .args(["--json", "--jobs", "1", "--max-time", "20s", "--max-paths", "30", "--out"])
        .arg(&out);
    json(run.args(["--", "-w", level]))?;
    let mut replay = Command::new(env!("CARGO_BIN_EXE_effigy"));
    let document = json(replay.arg("replay").arg("--json").arg(&out))?;
    let count = |name: &str| document[name].as_u64().unwrap_or(0);
    match count("differ") {
        0 => Ok(count("agree")),
        _ => Err(document.to_string()),
    }
}

#[test]
fn what_floats_come_to_is_what_they_come_to_natively() {
    let first = std::env::var("EFFIGY_FIRST").ok().and_then(|it| it.parse().ok()).unwrap_or(0u64);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle_floats");
    std::fs::create_dir_all(&folder).unwrap();
    let mut replayed = 0;
    for number in first..first + u64::from(effigy_programs::cases(12)) {
        let level = if number % 2 == 0 { "-O0" } else { "-O2" };
        let file = folder.join(format!("program{number}.c"));
        match check(&source(number), &file, level) {
            Ok(count) => replayed += count,
            Err(why) => panic!("program {number} at {level}: {why}\n{}", program(&source(number))),
        }
    }
    assert!(replayed > 12, "{replayed} paths were replayed");
}
