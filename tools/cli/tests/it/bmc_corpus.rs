//! Programs of SV-COMP's kind with their verdicts: `corpus/bmc`, by `effigy run` and by `effigy bmc`.
//!
//! `//@ verdict: correct` or `//@ verdict: bug`, and `//~ bug: KIND` on the line of the one bug; `bench/bmc.d/judge`
//! judges them natively. A tool may give up (`unknown`, `bounded`), which is counted and printed; it is never wrong, in
//! the verdict, the kind or the line. The witness of each bug that `effigy bmc` finds is feasible. `//@ bmc: bounded` marks what only induction can show.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Case {
    file: PathBuf,
    /// Kind and line; `None` where the program is correct.
    bug: Option<(String, u64)>,
    /// Whether only induction closes its loops.
    needs_induction: bool,
}

/// What a tool says of a case.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Agrees,
    GivesUp(String),
    Wrong(String),
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/bmc");
    let mut cases = Vec::new();
    for folder in std::fs::read_dir(root).expect("the corpus can be read").flatten() {
        for entry in std::fs::read_dir(folder.path()).expect("a category is a folder").flatten() {
            cases.push(case(entry.path()));
        }
    }
    cases.sort_by(|a, b| a.file.cmp(&b.file));
    let buggy = cases.iter().filter(|it| it.bug.is_some()).count();
    assert!(cases.len() >= 120 && 2 * buggy >= cases.len(), "the corpus is where it should be, half of it buggy");
    cases
}

fn case(file: PathBuf) -> Case {
    let text = std::fs::read_to_string(&file).expect("a case can be read");
    let bugs: Vec<(String, u64)> = (1..)
        .zip(text.lines())
        .filter_map(|(at, line)| Some((line.split("//~ bug: ").nth(1)?.trim().to_owned(), at)))
        .collect();
    let says = |what: &str| text.lines().any(|it| it == what);
    assert_eq!(bugs.len(), usize::from(says("//@ verdict: bug")), "{}: one line for the bug", file.display());
    assert_eq!(bugs.is_empty(), says("//@ verdict: correct"), "{}: a verdict", file.display());
    Case { file, bug: bugs.into_iter().next(), needs_induction: says("//@ bmc: bounded") }
}

/// One JSON object on standard output, and the exit code.
fn ask(command: &str, file: &Path, flags: &[&str]) -> Result<(Value, i32), String> {
    let out = std::env::temp_dir().join(format!("effigy-bmc-{}-{:?}", std::process::id(), std::thread::current().id()));
    let output = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .args([command, "--json", "--max-time", "4s", "--out"])
        .arg(&out)
        .args(flags)
        .arg(file)
        .output()
        .map_err(|it| it.to_string())?;
    let _ = std::fs::remove_dir_all(out);
    let json = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("no JSON, but: {}", String::from_utf8_lossy(&output.stderr)))?;
    Ok((json, output.status.code().unwrap_or(-1)))
}

fn kind_and_line(kind: &Value, line: &Value) -> (String, u64) {
    (kind.as_str().unwrap_or_default().to_owned(), line.as_u64().unwrap_or(0))
}

/// Compares what is found, and what is claimed for the whole, with what is announced.
fn compare(case: &Case, found: &[(String, u64)], proved: bool, gave_up: String) -> Said {
    let strange: Vec<_> = found.iter().filter(|it| Some(*it) != case.bug.as_ref()).collect();
    match &case.bug {
        _ if !strange.is_empty() => Said::Wrong(format!("{strange:?} found, {:?} announced", case.bug)),
        Some(bug) if found.is_empty() && proved => Said::Wrong(format!("no bug, but there is {bug:?}")),
        Some(_) if !found.is_empty() => Said::Agrees,
        None if proved => Said::Agrees,
        _ => Said::GivesUp(gave_up),
    }
}

fn by_run(case: &Case) -> Result<Said, String> {
    let (json, _) = ask("run", &case.file, &["--jobs", "1"])?;
    let bugs = json["bugs"].as_array().ok_or("no list of bugs")?;
    let (possible, certain): (Vec<_>, Vec<_>) = bugs.iter().partition(|it| it["possible"] == Value::Bool(true));
    let found: Vec<_> = certain.iter().map(|it| kind_and_line(&it["kind"], &it["place"]["line"])).collect();
    let proved = json["complete"] == Value::Bool(true) && possible.is_empty();
    Ok(compare(case, &found, proved, format!("{} {}", json["cut"], json["incomplete"])))
}

fn by_bmc(case: &Case) -> Result<Said, String> {
    bmc(case, "values")
}

fn bmc(case: &Case, encoding: &str) -> Result<Said, String> {
    let witness =
        std::env::temp_dir().join(format!("effigy-bmc-{}-{:?}.yml", std::process::id(), std::thread::current().id()));
    let path = witness.to_str().ok_or("a name that is no text")?;
    let (json, code) = ask("bmc", &case.file, &["--witness", path, "--encoding", encoding])?;
    let properties = json["properties"].as_array().ok_or("no list of properties")?;
    let verdict = json["verdict"].as_str().unwrap_or_default();
    let expected_code = match verdict {
        "correct" => 0,
        "bug" => 1,
        "bounded" | "unknown" => 3,
        _ => return Err(format!("no verdict: {verdict}")),
    };
    if code != expected_code {
        return Err(format!("{verdict}, and exit code {code}"));
    }
    let with = |verdict: &str| -> Vec<(String, u64)> {
        let those = properties.iter().filter(|it| it["verdict"] == verdict);
        those.map(|it| kind_and_line(&it["kind"], &it["line"])).collect()
    };
    let found = with("bug");
    if found.is_empty() == (verdict == "bug") {
        return Err(format!("{verdict}, with the bugs {found:?}"));
    }
    // The run that the witness tells of is one of the program, as who reads witnesses sees it.
    if verdict == "bug" {
        let (told, _) = ask("feasible", &case.file, &["--trace", path])?;
        if told["verdict"] != "feasible" {
            return Ok(Said::Wrong(format!("the witness is {}", told["verdict"])));
        }
    }
    let _ = std::fs::remove_file(witness);
    // A line can have several properties of one kind: only one of them is the bug.
    let given_up = [with("bounded"), with("unknown")].concat();
    let denied = |it: &(String, u64)| with("correct").contains(it) && !found.contains(it) && !given_up.contains(it);
    if let Some(bug) = case.bug.as_ref().filter(|it| denied(it)) {
        return Ok(Said::Wrong(format!("{bug:?} is called correct")));
    }
    Ok(compare(case, &found, verdict == "correct", verdict.to_owned()))
}

/// Asks for each case, on two threads, and prints what is given up (`--nocapture`). Fails if an answer is wrong, or if
/// fewer than `least` agree.
#[expect(clippy::print_stdout, reason = "what is given up is counted for people")]
fn check(tool: &str, cases: &[Case], least: usize, ask: impl Fn(&Case) -> Result<Said, String> + Sync) {
    let (next, said) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let answer = ask(case).unwrap_or_else(Said::Wrong);
                    said.lock().expect("no thread panics").push((case, answer));
                }
            });
        }
    });
    let said = said.into_inner().expect("no thread panics");
    let agree = said.iter().filter(|it| it.1 == Said::Agrees).count();
    let mut wrong = Vec::new();
    for (case, answer) in &said {
        match answer {
            Said::Agrees => {}
            Said::GivesUp(why) => {
                let induction = if case.needs_induction { " (needs induction)" } else { "" };
                println!("{tool} gives up{induction}: {}: {why}", case.file.display());
            }
            Said::Wrong(what) => wrong.push(format!("{}: {what}", case.file.display())),
        }
    }
    println!("{tool}: {} cases, {agree} agree, {} given up", said.len(), said.len() - agree - wrong.len());
    assert!(wrong.is_empty(), "{tool} is wrong:\n{}", wrong.join("\n"));
    assert!(agree >= least, "{tool}: only {agree} agree");
}

#[test]
fn run_is_never_wrong() {
    check("run", &cases(), 190, by_run);
}

#[test]
fn bmc_is_never_wrong() {
    check("bmc", &cases(), 200, by_bmc);
}

/// One of four; `make test-long` has all of them.
#[test]
fn equations_are_never_wrong() {
    let some: Vec<Case> = cases().into_iter().step_by(4).collect();
    check("bmc --encoding equations", &some, 50, |it| bmc(it, "equations"));
}

#[test]
#[ignore = "a long campaign: `make test-long`"]
fn equations_are_never_wrong_anywhere() {
    check("bmc --encoding equations", &cases(), 200, |it| bmc(it, "equations"));
}
