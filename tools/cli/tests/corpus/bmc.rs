//! `corpus/bmc`: programs of SV-COMP's kind with their verdicts, by `effigy run` and by `effigy bmc`.
//!
//! `//@ verdict: correct` or `//@ verdict: bug`, and `//~ bug: KIND` on the line of the one bug; `bench/bmc.d/judge`
//! judges them natively. A tool may give up, where `//@ open: run`, `bmc` or `equations` (several with commas between
//! them) says so; it is never wrong, in the verdict, the kind or the line. The witness of each bug that `effigy bmc`
//! finds is feasible. Budgets are counted in steps ([`STEPS`]), so that the answers are the same on a loaded machine.

use super::case::{directive, files, trial, walk};
use effigy_cli::Case;
use libtest_mimic::Trial;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What a command may spend, in instructions, before it gives up. `//@ steps: bmc=1000000, run=3000` of a file says
/// otherwise: more where that decides it, less where more takes minutes.
const STEPS: u64 = 40_000;

/// What is spent on a case that is open: enough to be wrong.
const FEW_STEPS: u64 = 3_000;

/// Conflicts that one query may spend, for so many instructions.
fn conflicts(steps: u64) -> u64 {
    (steps * 3 / 40).clamp(300, 20_000)
}

/// One of so many is tried with the encoding by equations; in a campaign, each.
const EQUATIONS: usize = 4;

pub fn trials() -> Vec<Trial> {
    let cases: Vec<Announced> = files("corpus/bmc", &["c"]).into_iter().map(Announced::read).collect();
    let buggy = cases.iter().filter(|it| it.bug.is_some()).count();
    assert!(cases.len() >= 240 && 2 * buggy >= cases.len(), "the corpus is where it should be, half of it buggy");
    let trial = |(number, it): (usize, Announced)| {
        trial(it.file.clone(), move |_, folder| {
            let sampled = number % EQUATIONS == 0;
            it.check(folder, sampled || effigy_programs::is_campaign(), sampled)
        })
    };
    cases.into_iter().enumerate().map(trial).collect()
}

/// A case as its comments have it.
struct Announced {
    file: PathBuf,
    /// Kind and line; `None` where the program is correct.
    bug: Option<(String, u64)>,
    /// The ways in which it is given up.
    open: Vec<String>,
    /// The budgets of ways that need more or less than is usual.
    steps: Vec<(String, u64)>,
}

/// Whether an answer is the one that is announced. One that is wrong is an error.
type Agrees = Result<Result<(), String>, String>;

impl Announced {
    fn read(file: PathBuf) -> Announced {
        let text = std::fs::read_to_string(&file).expect("a case can be read");
        let bugs: Vec<(String, u64)> = (1..)
            .zip(text.lines())
            .filter_map(|(at, line)| Some((line.split("//~ bug: ").nth(1)?.trim().to_owned(), at)))
            .collect();
        let says = |what: &str| text.lines().any(|it| it == what);
        assert_eq!(bugs.len(), usize::from(says("//@ verdict: bug")), "{}: one line for the bug", file.display());
        assert_eq!(bugs.is_empty(), says("//@ verdict: correct"), "{}: a verdict", file.display());
        let open = directive(&text, "open").map(|it| it.split(", ").map(str::to_owned).collect()).unwrap_or_default();
        let budget = |it: &str| {
            let (way, steps) = it.split_once('=').expect("a way and its steps");
            (way.to_owned(), steps.parse().expect("a number of steps"))
        };
        let steps = directive(&text, "steps").map(|it| it.split(", ").map(budget).collect()).unwrap_or_default();
        Announced { file, bug: bugs.into_iter().next(), open, steps }
    }

    /// Asks in every way. Where not `all_decided`, equations may give up: nobody has said of this case whether they do.
    fn check(&self, folder: &Path, with_equations: bool, all_decided: bool) -> Result<(), String> {
        let name = self.file.to_string_lossy();
        // bmc does not look for leaks.
        let case = Case::open(&["run", "--no-check", "leak", &name])?;
        let mut ways = vec!["run", "bmc"];
        ways.extend(with_equations.then_some("equations"));
        let mut failures = Vec::new();
        for way in ways {
            let is_open = self.open.iter().any(|it| it == way);
            let usual = if is_open { FEW_STEPS } else { STEPS };
            let steps = self.steps.iter().find(|it| it.0 == way).map_or(usual, |it| it.1);
            let (most, conflicts) = (steps.to_string(), conflicts(steps).to_string());
            let budget = ["--max-steps", &most, "--solver-steps", &conflicts, "--max-time", "1h"];
            let out = folder.join(way);
            let answer = match way {
                "run" => self.by_run(&case, &out, &budget),
                "bmc" => self.by_bmc(&case, &out, &budget, "values"),
                _ => self.by_bmc(&case, &out, &budget, "equations"),
            };
            match answer {
                Err(what) => failures.push(format!("{way} is wrong: {what}")),
                Ok(_) if way == "equations" && !all_decided => {}
                Ok(Err(why)) if !is_open => failures.push(format!("{way} gives up: {why}")),
                Ok(Ok(())) if is_open => failures.push(format!("{way} does not give up any more: `//@ open` says so")),
                Ok(_) => {}
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
    }

    /// Compares what is found, and what is claimed for the whole, with what is announced.
    fn compare(&self, found: &[(String, u64)], proved: bool, gave_up: String) -> Agrees {
        let strange: Vec<_> = found.iter().filter(|it| Some(*it) != self.bug.as_ref()).collect();
        match &self.bug {
            _ if !strange.is_empty() => Err(format!("{strange:?} found, {:?} announced", self.bug)),
            Some(bug) if found.is_empty() && proved => Err(format!("no bug, but there is {bug:?}")),
            Some(_) if !found.is_empty() => Ok(Ok(())),
            None if proved => Ok(Ok(())),
            _ => Ok(Err(gave_up)),
        }
    }

    fn by_run(&self, case: &Case, out: &Path, budget: &[&str]) -> Agrees {
        let (file, out) = (self.file.to_string_lossy(), out.to_string_lossy());
        let words = ["run", &*file, "--json", "--jobs", "1", "--out", &*out];
        let (json, _) = walk(case, &[&words, budget].concat())?;
        let bugs = json["bugs"].as_array().ok_or("no list of bugs")?;
        let (possible, certain): (Vec<_>, Vec<_>) = bugs.iter().partition(|it| it["possible"] == Value::Bool(true));
        let found: Vec<_> = certain.iter().map(|it| kind_and_line(&it["kind"], &it["place"]["line"])).collect();
        let proved = json["complete"] == Value::Bool(true) && possible.is_empty();
        self.compare(&found, proved, format!("{} {}", json["cut"], json["incomplete"]))
    }

    fn by_bmc(&self, case: &Case, out: &Path, budget: &[&str], encoding: &str) -> Agrees {
        let witness = out.with_extension("yml");
        let (file, witness, out) = (self.file.to_string_lossy(), witness.to_string_lossy(), out.to_string_lossy());
        let words = ["bmc", &*file, "--json", "--encoding", encoding, "--witness", &*witness, "--out", &*out];
        let (json, code) = walk(case, &[&words, budget].concat())?;
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
            let (followed, _) = walk(case, &["feasible", &file, "--json", "--trace", &witness, "--out", &out])?;
            if followed["verdict"] != "feasible" {
                return Err(format!("the witness is {}", followed["verdict"]));
            }
        }
        // A line can have several properties of one kind: only one of them is the bug.
        let given_up = [with("bounded"), with("unknown")].concat();
        let denied = |it: &(String, u64)| with("correct").contains(it) && !found.contains(it) && !given_up.contains(it);
        if let Some(bug) = self.bug.as_ref().filter(|it| denied(it)) {
            return Err(format!("{bug:?} is called correct"));
        }
        self.compare(&found, verdict == "correct", format!("{verdict}, {}", json["stopped"]))
    }
}

fn kind_and_line(kind: &Value, line: &Value) -> (String, u64) {
    (kind.as_str().unwrap_or_default().to_owned(), line.as_u64().unwrap_or(0))
}
