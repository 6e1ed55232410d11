//! Random C programs with two threads: the exit codes, data races and deadlocks that are found are those that trying every
//! interleaving finds.
//!
//! Knows: `effigy_programs::c_threads`, which knows neither vector clocks nor sleep sets.
//! EFFIGY_CASES_TIMES says how many times 40 are tried; EFFIGY_FIRST which is the first.

use super::native_oracle::source;
use effigy_programs::c_threads::{ThreadProgram, ThreadResults};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What `effigy run` finds.
fn explored(program: &ThreadProgram, file: &Path) -> Result<ThreadResults, String> {
    std::fs::write(file, program.text()).map_err(|it| it.to_string())?;
    let out = file.with_extension("out");
    let _ = std::fs::remove_dir_all(&out);
    let mut run = Command::new(env!("CARGO_BIN_EXE_effigy"));
    run.arg("run").arg(file).args(["--json", "--jobs", "1", "--max-time", "60s", "--out"]).arg(&out);
    let output = run.output().map_err(|it| it.to_string())?;
    let document: Value = serde_json::from_slice(&output.stdout)
        .map_err(|it| format!("{it}: {}", String::from_utf8_lossy(&output.stderr)))?;
    if document["complete"] != Value::Bool(true) {
        return Err(format!("not explored to its end: {document}"));
    }
    let mut res = ThreadResults::default();
    for bug in document["bugs"].as_array().ok_or("no list of bugs")? {
        match bug["kind"].as_str() {
            Some("data-race") => res.races = true,
            Some("deadlock") => res.deadlocks = true,
            _ => return Err(format!("another bug: {bug}")),
        }
    }
    for entry in std::fs::read_dir(out.join("tests")).map_err(|it| it.to_string())? {
        let path = entry.map_err(|it| it.to_string())?.path();
        if path.extension().is_none_or(|it| it != "json") {
            continue;
        }
        let test: Value =
            serde_json::from_slice(&std::fs::read(path).map_err(|it| it.to_string())?).map_err(|it| it.to_string())?;
        if let Some(code) = test["expect"]["exit"].as_i64() {
            res.codes.insert(code as i32);
        }
    }
    Ok(res)
}

#[test]
fn what_is_found_is_what_every_interleaving_shows() {
    let first = std::env::var("EFFIGY_FIRST").ok().and_then(|it| it.parse().ok()).unwrap_or(0u64);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle_threads");
    std::fs::create_dir_all(&folder).unwrap();
    let (mut races, mut deadlocks, mut several) = (0, 0, 0);
    for number in first..first + u64::from(effigy_programs::cases(40)) {
        let mut bytes = source(number);
        bytes.resize(8 + number as usize % 5, 0);
        if number % 4 == 0 {
            // Most random programs have no two locks: these take both, each in its own order.
            let half = bytes.len() / 2;
            for (at, lock) in [(0, 0), (2, 10), (half, 10), (half + 2, 0)] {
                bytes[at] = lock;
            }
        }
        let program = ThreadProgram::new(&bytes);
        let expected = program.results();
        let file = folder.join(format!("program{number}.c"));
        let mut found =
            explored(&program, &file).unwrap_or_else(|it| panic!("program {number}: {it}\n{}", program.text()));
        // A path ends at a race: of what comes after it nothing is said.
        let mut expected_here = expected.clone();
        if expected.races && found.races {
            expected_here = ThreadResults { races: true, ..ThreadResults::default() };
            found = ThreadResults { races: true, ..ThreadResults::default() };
        }
        assert_eq!(found, expected_here, "program {number}:\n{}", program.text());
        races += u32::from(expected.races);
        deadlocks += u32::from(expected.deadlocks && !expected.races);
        several += u32::from(!expected.races && expected.codes.len() > 1);
    }
    assert!(
        races > 2 && deadlocks > 0 && several > 5,
        "{races} races, {deadlocks} deadlocks, {several} with several ends"
    );
}
