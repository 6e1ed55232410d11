//! One test in a process of its own: a stack that overflows, or a loop, ends that test and no other.
//!
//! Knows: how effigy is started, and what it prints. Never: what is due.

use super::judge::{Member, Report, TestOutcome, Word};
use crate::args::{VerifyArgs, search_name};
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The annotations name every error of a member: Silicon, too, meets them only with `--numberOfErrorsToReport 0`.
const EVERY_ERROR: usize = 1000;
/// So long a test may take to stop when its time is over.
const GRACE: Duration = Duration::from_secs(3);

/// Runs effigy on one file, with the arguments that concern the verdict.
pub(super) fn run(file: &Path, args: &VerifyArgs) -> (TestOutcome, Duration) {
    let start = Instant::now();
    let found = this_build().and_then(|effigy| judged_by(Command::new(effigy), file, args));
    (found.unwrap_or_else(|error| TestOutcome::Crash(format!("it cannot be started: {error}"))), start.elapsed())
}

/// The build that runs, even if another has taken its place on the disk meanwhile: one table is of one build.
fn this_build() -> std::io::Result<PathBuf> {
    let linux = PathBuf::from("/proc/self/exe");
    if linux.exists() { Ok(linux) } else { std::env::current_exe() }
}

fn judged_by(mut command: Command, file: &Path, args: &VerifyArgs) -> std::io::Result<TestOutcome> {
    // A test is judged by what this build does, not by what an earlier run kept.
    command.args(["verify", "--json", "--no-cache", "--jobs", "1"]);
    let errors = args.errors.unwrap_or(EVERY_ERROR);
    command.args(["--errors", &errors.to_string(), "--max-steps", &args.max_steps.to_string()]);
    command.args(["--smt", &args.prover.smt, "--solver-steps", &args.prover.solver_steps.to_string()]);
    command.args([
        "--merge",
        args.merge.name(),
        "--search",
        search_name(args.search),
        "--seed",
        &args.seed.to_string(),
    ]);
    command.args(["--max-time", &milliseconds(args.suite.test_timeout)]);
    if let Some(time) = args.timeout {
        command.args(["--timeout", &milliseconds(time)]);
    }
    if args.prover.no_local {
        command.arg("--no-local");
    }
    for folder in &args.library.import_path {
        command.arg("--import-path").arg(folder);
    }
    command.arg("--").arg(file);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (sender, receiver) = mpsc::channel();
    let start = Instant::now();
    let out = reader(child.stdout.take(), sender.clone(), true)?;
    let err = reader(child.stderr.take(), sender, false)?;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let limit = args.suite.test_timeout + GRACE;
    for _ in 0..2 {
        match receiver.recv_timeout(limit.saturating_sub(start.elapsed())) {
            Ok((true, text)) => stdout = text,
            Ok((false, text)) => stderr = text,
            Err(_) => {
                child.kill()?;
                child.wait()?;
                return Ok(TestOutcome::Time);
            }
        }
    }
    let status = child.wait()?;
    let _ = (out.join(), err.join());
    let out_of_time = start.elapsed() >= args.suite.test_timeout;
    let report = serde_json::from_slice(&stdout).ok().and_then(|it: Value| report(&it, out_of_time));
    Ok(match report {
        Some(report) => TestOutcome::Report(report),
        None => TestOutcome::Crash(last_words(&stderr).unwrap_or_else(|| format!("it ended with {status}"))),
    })
}

fn milliseconds(time: Duration) -> String {
    format!("{}ms", time.as_millis())
}

fn reader(
    pipe: Option<impl Read + Send + 'static>,
    sender: mpsc::Sender<(bool, Vec<u8>)>,
    first: bool,
) -> std::io::Result<std::thread::JoinHandle<()>> {
    std::thread::Builder::new().spawn(move || {
        let mut text = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut text);
        }
        let _ = sender.send((first, text));
    })
}

/// The line that says why a process died.
fn last_words(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let telling = |it: &&str| it.contains("panicked at") || it.contains("overflow") || it.contains("memory");
    let line = text.lines().find(telling).or_else(|| text.lines().rfind(|it| !it.trim().is_empty()))?;
    Some(line.trim().to_owned())
}

/// What the JSON of the one file says; `None` if it is not what effigy prints.
fn report(json: &Value, out_of_time: bool) -> Option<Report> {
    let file = json["files"].as_array()?.first()?;
    let mut res = Report { out_of_time, ..Report::default() };
    let line = |it: &Value| it["place"]["line"].as_u64().and_then(|it| u32::try_from(it).ok());
    for problem in file["problems"].as_array()? {
        let message = problem["message"].as_str()?.to_owned();
        match problem["id"].as_str()? {
            effigy_report::verify::UNSUPPORTED => drop(res.unsupported.insert(message)),
            effigy_report::verify::CRASHED => res.crashed = Some(message),
            id => res.rejected.push((id.to_owned(), line(problem).unwrap_or(0))),
        }
    }
    for member in file["members"].as_array()? {
        let reason = || member["reason"].as_str().unwrap_or("").to_owned();
        let verdict = match member["verdict"].as_str()? {
            "verified" => Word::Verified,
            "failed" => Word::Failed,
            "undecided" => Word::Open,
            "unsupported" => {
                res.unsupported.insert(reason());
                Word::Open
            }
            "crashed" => {
                res.crashed = Some(reason());
                Word::Open
            }
            _ => return None,
        };
        let mut errors = Vec::new();
        if verdict == Word::Failed {
            for error in member["errors"].as_array()? {
                errors.push((error["id"].as_str()?.to_owned(), line(error)?));
            }
        }
        // A member of an imported file does not own the lines of this one.
        let own = member["place"]["file"] == file["file"];
        res.members.push(Member { line: line(member).filter(|_| own), verdict, errors });
    }
    Some(res)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command as Subcommand};
    use clap::Parser;

    fn args(time: &str) -> VerifyArgs {
        let words = ["effigy", "verify", "--expect-annotations", "--test-timeout", time, "tests"];
        match Args::try_parse_from(words).expect("arguments").command {
            Subcommand::Verify(args) => *args,
            other => panic!("{other:?}"),
        }
    }

    /// What is made of a process that runs this script instead of effigy.
    fn of(script: &str, time: &str) -> TestOutcome {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]);
        judged_by(shell, Path::new("a.vpr"), &args(time)).expect("a shell")
    }

    fn says(json: &str) -> TestOutcome {
        of(&format!("echo '{json}'"), "10s")
    }

    #[test]
    fn verdicts_and_errors_are_read_back() {
        let error = r#"{"id": "assert.failed:assertion.false", "place": {"line": 4, "file": "a.vpr"}}"#;
        let failed = r#"{"verdict": "failed", "place": {"line": 2, "file": "a.vpr"}, "errors": [ERROR]}"#;
        let imported = r#"{"verdict": "verified", "place": {"line": 1, "file": "b.vpr"}}"#;
        let json = r#"{"files": [{"file": "a.vpr", "problems": [], "members": [FAILED, IMPORTED]}]}"#;
        let json = json.replace("FAILED", failed).replace("ERROR", error).replace("IMPORTED", imported);
        let TestOutcome::Report(report) = says(&json) else { panic!("a report was expected") };
        assert_eq!(report.members[0].errors, [("assert.failed:assertion.false".to_owned(), 4)]);
        assert_eq!((report.members[0].line, report.members[0].verdict), (Some(2), Word::Failed));
        assert_eq!((report.members[1].line, report.members[1].verdict), (None, Word::Verified));
    }

    #[test]
    fn problems_are_told_apart() {
        let problem = |id: &str| format!(r#"{{"id": "{id}", "message": "m", "place": {{"line": 3}}}}"#);
        let problems = ["typechecker.error", "unsupported", "crashed"].map(problem).join(", ");
        let json = format!(r#"{{"files": [{{"file": "a.vpr", "problems": [{problems}], "members": []}}]}}"#);
        let TestOutcome::Report(report) = says(&json) else { panic!("a report was expected") };
        assert_eq!(report.rejected, [("typechecker.error".to_owned(), 3)]);
        assert!(report.unsupported.contains("m") && report.crashed.is_some());
    }

    #[test]
    fn what_is_no_report_is_a_crash() {
        assert!(matches!(says("{}"), TestOutcome::Crash(_)));
        assert!(matches!(says(r#"{"files": []}"#), TestOutcome::Crash(_)));
        assert!(matches!(
            says(r#"{"files": [{"file": "a", "problems": [], "members": [{}]}]}"#),
            TestOutcome::Crash(_)
        ));
        let died = of("echo thread main has overflowed its stack >&2; kill -ABRT $$", "10s");
        assert_eq!(died, TestOutcome::Crash("thread main has overflowed its stack".to_owned()));
    }

    #[test]
    fn what_does_not_stop_is_stopped() {
        let start = Instant::now();
        assert_eq!(of("exec sleep 60", "1ms"), TestOutcome::Time);
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
