//! Programs of SV-COMP's kind with their verdicts: `corpus/bmc`, by `effigy run`.
//!
//! `//@ verdict: correct` or `//@ verdict: bug`, and `//~ bug: KIND` on the line of the one bug; `bench/bmc.d/judge`
//! judges them natively. A tool may give up, which is counted and printed; it is never wrong, in
//! the verdict, the kind or the line. `//@ bmc: bounded` marks what only induction can show.

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

/// The one JSON object on standard output.
fn ask(command: &str, file: &Path, flags: &[&str]) -> Result<Value, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .args([command, "--json", "--max-time", "4s"])
        .args(flags)
        .arg(file)
        .output()
        .map_err(|it| it.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("no JSON, but: {}", String::from_utf8_lossy(&output.stderr)))
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
    let out = std::env::temp_dir().join(format!("effigy-bmc-{}-{:?}", std::process::id(), std::thread::current().id()));
    let json = ask("run", &case.file, &["--jobs", "1", "--out", &out.to_string_lossy()])?;
    let _ = std::fs::remove_dir_all(out);
    let bugs = json["bugs"].as_array().ok_or("no list of bugs")?;
    let (possible, certain): (Vec<_>, Vec<_>) = bugs.iter().partition(|it| it["possible"] == Value::Bool(true));
    let found: Vec<_> = certain.iter().map(|it| kind_and_line(&it["kind"], &it["place"]["line"])).collect();
    let proved = json["complete"] == Value::Bool(true) && possible.is_empty();
    Ok(compare(case, &found, proved, format!("{} {}", json["cut"], json["incomplete"])))
}

/// Asks for each case, on two threads, and prints what is given up (`--nocapture`). Fails if an answer is wrong, or if
/// fewer than `least` agree.
#[expect(clippy::print_stdout, reason = "what is given up is counted for people")]
fn check(tool: &str, least: usize, ask: impl Fn(&Case) -> Result<Said, String> + Sync) {
    let (cases, next, said) = (cases(), AtomicUsize::new(0), Mutex::new(Vec::new()));
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
    check("run", 190, by_run);
}
