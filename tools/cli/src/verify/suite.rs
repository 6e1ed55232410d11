//! `effigy verify --expect-annotations`: Viper's own tests.
//!
//! Knows: which files are tests, who is waived, which tier a test has. Never: what a verdict rests on.

mod annotations;
mod child;
mod judge;
mod table;

use super::{read, sources};
use crate::args::VerifyArgs;
use crate::progress::{ProgressLine, say, say_json};
use crate::{Code, Failure};
use annotations::{Annotations, Id};
use judge::{Class, Judgement, TestOutcome, judge};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The folders of silver's tests that Silicon runs.
const SUITE: [&str; 8] = [
    "all",
    "examples",
    "quantifiedcombinations",
    "quantifiedpermissions",
    "quantifiedpredicates",
    "refute",
    "termination",
    "wands",
];

/// One test: a file, or several of one name.
struct Test {
    /// The path below the folder that the user named.
    name: String,
    files: Vec<PathBuf>,
}

/// A test with its judgement.
struct JudgedTest {
    name: String,
    judgement: Judgement,
    malformed: Vec<u32>,
    /// Waivers of annotations that are not there: line and id.
    stale: Vec<(u32, String)>,
    time: Duration,
}

/// An annotation that need not be met.
struct Waiver {
    test: String,
    line: u32,
    id: String,
}

/// What the census says of a test.
struct Tier {
    suite: bool,
    tier: String,
    front_end_only: bool,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Code, Failure> {
    let waivers = args.suite.waive.as_deref().map_or_else(|| Ok(Vec::new()), waivers)?;
    let census = args.suite.census.as_deref().map(census).transpose()?;
    let tests = tests(args)?;
    if tests.is_empty() {
        return Err(Failure("there is no test; --suite takes the folders of silver/src/test/resources".to_owned()));
    }
    let judged = all(&tests, args, &waivers)?;
    match args.json {
        true => say_json(&table::json(&judged, census.as_ref(), args.stats))?,
        false => say(&table::text(&judged, census.as_ref(), args.suite.verbose, args.stats))?,
    }
    let classes: BTreeSet<Class> = judged.iter().map(|it| it.judgement.class).collect();
    let wrong = |it: &Class| matches!(it, Class::Unsound(_) | Class::Incomplete | Class::Crash);
    Ok(if classes.iter().any(wrong) {
        Code::Found
    } else if classes.iter().any(|it| !matches!(it, Class::Agree | Class::Ignored)) {
        Code::Cut
    } else {
        Code::Nothing
    })
}

fn tests(args: &VerifyArgs) -> Result<Vec<Test>, Failure> {
    let mut res: Vec<Test> = Vec::new();
    for root in &args.files {
        let paths = read::files(std::slice::from_ref(root), &|it| it.extension().is_some_and(|it| it == "vpr"))?;
        for path in paths {
            let below = path.strip_prefix(root).ok().filter(|it| !it.as_os_str().is_empty());
            let below = below.or_else(|| path.file_name().map(Path::new)).unwrap_or(&path);
            if args.suite.suite && !SUITE.iter().any(|it| below.starts_with(it)) {
                continue;
            }
            let name = match args.files.len() {
                1 => below.to_path_buf(),
                _ => root.join(below),
            };
            let name = name.components().map(|it| it.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            res.push(Test { name, files: vec![path] });
        }
    }
    Ok(joined(res))
}

/// `a_file1.vpr` and `a_file2.vpr` are one test, `a`, in the order of their numbers.
fn joined(tests: Vec<Test>) -> Vec<Test> {
    let mut res: BTreeMap<String, Vec<(u32, Test)>> = BTreeMap::new();
    for test in tests {
        match numbered(&test.name) {
            Some((name, number)) => res.entry(name).or_default().push((number, test)),
            None => res.entry(test.name.clone()).or_default().push((0, test)),
        }
    }
    let join = |(name, mut parts): (String, Vec<(u32, Test)>)| {
        parts.sort_by(|a, b| (a.0, &a.1.name).cmp(&(b.0, &b.1.name)));
        Test { name, files: parts.into_iter().flat_map(|it| it.1.files).collect() }
    };
    res.into_iter().map(join).collect()
}

fn numbered(name: &str) -> Option<(String, u32)> {
    let (stem, rest) = name.rsplit_once("_file")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((stem.to_owned(), digits.parse().ok()?))
}

fn all(tests: &[Test], args: &VerifyArgs, waivers: &[Waiver]) -> Result<Vec<JudgedTest>, Failure> {
    let threads = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut progress = ProgressLine::new(!args.json);
    let mut res: BTreeMap<usize, JudgedTest> = BTreeMap::new();
    let mut disagree = 0;
    std::thread::scope(|scope| {
        for _ in 0..threads.min(tests.len()) {
            let (sender, next) = (sender.clone(), &next);
            let worker = move || {
                while let Some((at, test)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, tests.get(at)?)))
                {
                    if sender.send((at, one(test, args, waivers))).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new().spawn_scoped(scope, worker)?;
        }
        drop(sender);
        for (at, judged) in receiver {
            disagree += usize::from(!matches!(judged.judgement.class, Class::Agree | Class::Ignored));
            res.insert(at, judged);
            progress.line(&format!("{} of {} tests, {disagree} do not agree", res.len(), tests.len()));
        }
        std::io::Result::Ok(())
    })
    .map_err(Failure::of)?;
    progress.clear();
    Ok(res.into_values().collect())
}

fn one(test: &Test, args: &VerifyArgs, waivers: &[Waiver]) -> JudgedTest {
    // Bytes that are no text are no annotation either; the verifier will say what it thinks of them.
    let text = |it: &PathBuf| String::from_utf8_lossy(&std::fs::read(it).unwrap_or_default()).into_owned();
    let texts: Vec<String> = test.files.iter().map(text).collect();
    let annotations = Annotations::of(texts.iter().map(String::as_str));
    let (found, time) = match (annotations.ignored, test.files.first()) {
        (false, Some(first)) => child::run(first, args),
        _ => (TestOutcome::Report(judge::Report::default()), Duration::ZERO),
    };
    let waived = |line: u32, id: &Id| {
        let id = id.to_string();
        waivers.iter().any(|it| it.test == test.name && it.line == line && it.id == id)
    };
    let judgement = judge(&found, &annotations, &waived);
    let of_test = waivers.iter().filter(|it| it.test == test.name);
    let stale =
        of_test.filter(|it| !annotations.speaks_of(it.line, &it.id)).map(|it| (it.line, it.id.clone())).collect();
    JudgedTest { name: test.name.clone(), judgement, malformed: annotations.malformed, stale, time }
}

/// `path:line id reason`; empty lines and lines that begin with `#` say nothing.
fn waivers(path: &Path) -> Result<Vec<Waiver>, Failure> {
    let text = sources::text(path).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    let mut res = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        res.push(
            waiver(line)
                .ok_or_else(|| Failure(format!("{}:{number}: `path:line id reason` was expected", path.display())))?,
        );
    }
    Ok(res)
}

fn waiver(line: &str) -> Option<Waiver> {
    let (place, rest) = line.split_once(char::is_whitespace)?;
    // A reason is not optional.
    let (id, _reason) = rest.trim().split_once(char::is_whitespace)?;
    let (test, number) = place.rsplit_once(':')?;
    Some(Waiver { test: test.to_owned(), line: number.parse().ok()?, id: id.to_owned() })
}

/// The columns `path`, `in_silicon_suite`, `tier` and `frontend_only` of a table with tabs.
fn census(path: &Path) -> Result<BTreeMap<String, Tier>, Failure> {
    let text = sources::text(path).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let column = |name: &str| {
        let at = head.iter().position(|it| *it == name);
        at.ok_or_else(|| Failure(format!("{}: the column {name} was expected", path.display())))
    };
    let (name, suite, tier, front) =
        (column("path")?, column("in_silicon_suite")?, column("tier")?, column("frontend_only")?);
    let mut res = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or("");
        let tier = Tier { suite: cell(suite) == "1", tier: cell(tier).to_owned(), front_end_only: cell(front) == "1" };
        res.insert(cell(name).to_owned(), tier);
    }
    Ok(res)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_numbers_are_one_test_in_their_order() {
        let test = |name: &str| Test { name: name.to_owned(), files: vec![PathBuf::from(name)] };
        let joined = joined(vec![test("a/b_file10.vpr"), test("a/b_file2.vpr"), test("a/c.vpr"), test("a/a_file.vpr")]);
        let shown: Vec<_> = joined.iter().map(|it| (it.name.as_str(), it.files.len())).collect();
        assert_eq!(shown, [("a/a_file.vpr", 1), ("a/b", 2), ("a/c.vpr", 1)]);
        assert_eq!(joined[1].files[0], PathBuf::from("a/b_file2.vpr"));
    }

    #[test]
    fn a_waiver_has_a_reason() {
        assert!(waiver("all/a.vpr:12 assert.failed:assertion.false z3 5 proves it").is_some());
        assert!(waiver("all/a.vpr:12 assert.failed:assertion.false").is_none());
        assert!(waiver("all/a.vpr assert.failed:assertion.false why").is_none());
    }
}
