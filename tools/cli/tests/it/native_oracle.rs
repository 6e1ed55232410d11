//! Random functions over inputs of a few values: what natively fails for some input is a bug on this line, what does not
//! fail ends as was predicted, and where all was explored no failing line and no result is missed: path by path, and all
//! paths merged.
//!
//! Knows: clang, whose sanitizers run each function on every input. Never: what the functions are ([`Dialect`]).
//! EFFIGY_CASES_TIMES says how many times the usual number is tried; EFFIGY_FIRST which is the first.

use effigy_programs::c_memory::Function;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The language of the functions.
#[derive(Debug)]
pub(super) struct Dialect {
    /// What every file needs above its functions.
    pub(super) head: &'static str,
    /// The function of this name that the bytes describe.
    pub(super) function: fn(&str, &[u8]) -> Function,
    /// The extension of its files.
    pub(super) extension: &'static str,
    /// The compiler of native programs.
    pub(super) compiler: &'static str,
    /// More flags for clang, native or not.
    pub(super) flags: &'static [&'static str],
    /// Flags for `effigy run` alone.
    pub(super) run: &'static [&'static str],
    /// Whether all paths are merged, too.
    pub(super) is_merged: bool,
}

/// So many functions share one compilation and one exploration.
const BATCH: u64 = 10;

/// Which function, and the values of its inputs.
type Input = [u32; 3];

/// The line on which a run fails, or its result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    Fails(u64),
    Returns(i64),
}

/// All inputs one after the other, each in a process of its own. Reports are told from each other by the lines between.
/// What a report says of addresses is translated to lines later, all at once.
const NATIVE: &str = r#"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __cplusplus
extern "C" {
#endif
const char *__asan_default_options(void) {
  return "handle_abort=1:symbolize=0:detect_leaks=0:detect_stack_use_after_return=1:redzone=64:print_legend=0:print_full_thread_history=0";
}
const char *__ubsan_default_options(void) { return "symbolize=0:print_stacktrace=1"; }
#ifdef __cplusplus
}
#endif
int main(void) {
  dup2(1, 2);
  for (int function = 0; function < FUNCTIONS; function++)
    for (int a = 0; a < values[function][0]; a++)
      for (int b = 0; b < values[function][1]; b++) {
        printf("\ninput %d %d %d\n", function, a, b);
        fflush(stdout);
        if (fork() == 0) {
          printf("\nreturns %d\n", functions[function](a, b));
          fflush(stdout);
          _exit(0);
        }
        wait(0);
      }
  return 0;
}
"#;

/// Each result is a path of its own, so that all results of all inputs are seen.
const EXPLORED: &str = r#"
#include <effigy.h>
int main(void) {
  int function = effigy_uchar("function"), a = effigy_uchar("a"), b = effigy_uchar("b");
  effigy_assume(function < FUNCTIONS);
  for (int at = 0; at < FUNCTIONS; at++)
    if (at == function) {
      effigy_assume(a < values[at][0] && b < values[at][1]);
      int result = functions[at](a, b);
      for (int known = 0; known < 16; known++)
        if (result == known)
          return known;
    }
  return 99;
}
"#;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

/// The bytes of this number; the same number gives the same bytes.
pub(super) fn source(number: u64) -> Vec<u8> {
    // Neighbours must not have the same bytes at another place.
    let mut state = number.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(32);
    // SplitMix64.
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut res = state;
        res = (res ^ (res >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        res = (res ^ (res >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (res ^ (res >> 31)) as u8
    };
    let length = 24 + usize::from(next()) % 128;
    (0..length).map(|_| next()).collect()
}

/// A file with these functions, and in which lines each of them is.
fn text(dialect: &Dialect, sources: &[Vec<u8>]) -> String {
    let mut res = dialect.head.to_owned();
    let functions: Vec<Function> =
        sources.iter().enumerate().map(|(at, bytes)| (dialect.function)(&format!("f{at}"), bytes)).collect();
    for it in &functions {
        res.push_str(&it.text);
    }
    let names: Vec<String> = (0..functions.len()).map(|at| format!("f{at}")).collect();
    let values: Vec<String> = functions.iter().map(|it| format!("{{{}, {}}}", it.inputs[0], it.inputs[1])).collect();
    let _ = writeln!(
        res,
        "#define FUNCTIONS {}\nstatic int (*functions[])(int, int) = {{{}}};\nstatic const int values[][2] = {{{}}};",
        names.len(),
        names.join(", "),
        values.join(", ")
    );
    let _ = writeln!(res, "#ifdef NATIVE{NATIVE}#else{EXPLORED}#endif");
    res
}

fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let res = command.output().expect("the command starts");
    let text = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
    (res.status.code(), text(res.stdout), text(res.stderr))
}

/// What natively becomes of each input.
fn native(dialect: &Dialect, file: &Path) -> Result<BTreeMap<Input, Outcome>, String> {
    let program = file.with_extension("native");
    // Effigy looks for no misaligned access, and not at single members of an object; an address is bad when it is used,
    // and for no bytes it is not.
    let flags = [
        "-w",
        "-O0",
        "-gdwarf-4",
        "-DNATIVE",
        "-fsanitize=address,undefined",
        "-fno-sanitize=alignment,bounds,pointer-overflow,object-size,nonnull-attribute",
        "-fsanitize-address-use-after-scope",
        "-fno-sanitize-recover=all",
    ];
    let (code, _, said) =
        output(Command::new(dialect.compiler).args(flags).args(dialect.flags).arg(file).arg("-o").arg(&program));
    if code != Some(0) {
        return Err(said);
    }
    let (_, said, _) = output(&mut Command::new(&program));
    let lines = lines_of(&said, &program, file)?;
    let mut res = BTreeMap::new();
    for report in said.split("\ninput ").skip(1) {
        let (head, rest) = report.split_once('\n').ok_or("an input without an end")?;
        let values: Vec<u32> = head.split(' ').filter_map(|it| it.parse().ok()).collect();
        let input: Input = values.try_into().map_err(|_| head.to_owned())?;
        res.insert(input, outcome(rest, &lines, file).ok_or_else(|| format!("{head}: {rest}"))?);
    }
    Ok(res)
}

fn outcome(report: &str, lines: &BTreeMap<String, u64>, file: &Path) -> Option<Outcome> {
    if let Some(result) = report.split("\nreturns ").nth(1) {
        return result.lines().next()?.parse().ok().map(Outcome::Returns);
    }
    if let Some((place, _)) = report.split_once(": runtime error: ") {
        let mut place = place.lines().last()?.rsplitn(3, ':').skip(1);
        let line = place.next()?.parse().ok();
        if place.next().is_some_and(|it| Path::new(it).file_name() == file.file_name()) {
            return line.map(Outcome::Fails);
        }
    }
    // The innermost frame of the first stack that is in the program.
    let stack = report.lines().skip_while(|it| !it.trim_start().starts_with("#0 "));
    let mut frames = stack.take_while(|it| it.trim_start().starts_with('#')).filter_map(offset);
    frames.find_map(|it| lines.get(it)).copied().map(Outcome::Fails)
}

/// The offset in the program of a line `    #1 0x4ae (/tmp/program.native+0x4ae) (BuildId: 12)`; none in a library.
fn offset(frame: &str) -> Option<&str> {
    frame.split_once('(')?.1.split(')').next()?.rsplit_once(".native+").map(|it| it.1)
}

/// The lines of the file to which these frames belong, by their offset.
fn lines_of(reports: &str, program: &Path, file: &Path) -> Result<BTreeMap<String, u64>, String> {
    let frames = reports.lines().filter(|it| it.trim_start().starts_with('#'));
    let offsets: BTreeSet<&str> = frames.filter_map(offset).collect();
    if offsets.is_empty() {
        return Ok(BTreeMap::new());
    }
    let (_, said, errors) = output(Command::new("addr2line").arg("-e").arg(program).args(&offsets));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if said.lines().count() != offsets.len() {
        return Err(format!("addr2line: {said}{errors}"));
    }
    let places = offsets.iter().zip(said.lines());
    let found = places.filter_map(|(offset, place)| {
        let line = place.split_once(&format!("{name}:"))?.1;
        let digits: String = line.chars().take_while(char::is_ascii_digit).collect();
        Some(((*offset).to_owned(), digits.parse().ok()?))
    });
    Ok(found.collect())
}

/// What effigy finds.
struct Found {
    /// An input each, and what is said of it.
    witnessed: Vec<(Input, Outcome)>,
    complete: bool,
}

fn explored(dialect: &Dialect, file: &Path) -> Result<Found, String> {
    let out = file.with_extension("out");
    let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
    command
        .arg("run")
        .arg(file)
        .args(dialect.run)
        .args(["--json", "--jobs", "1", "--max-time", "60s", "--out"])
        .arg(&out);
    let (code, said, errors) = output(command.args(["--", "-w"]).args(dialect.flags));
    let json: Value = serde_json::from_str(&said).map_err(|_| format!("run ends with {code:?}: {errors}"))?;
    let mut witnessed = bugs(&json, file)?;
    for leaf in json["leaves"].as_array().into_iter().flatten() {
        let value = |name: &str| leaf["inputs"][name].as_str().and_then(|it| it.parse().ok()).unwrap_or(0);
        if let (Some("exit"), Some(code)) = (leaf["end"].as_str(), leaf["code"].as_i64()) {
            witnessed.push(([value("function"), value("a"), value("b")], Outcome::Returns(code)));
        }
    }
    let complete = json["complete"] == Value::Bool(true);
    let _ = std::fs::remove_dir_all(out);
    Ok(Found { witnessed, complete })
}

/// The bugs that are not only possible, with their inputs.
fn bugs(json: &Value, file: &Path) -> Result<Vec<(Input, Outcome)>, String> {
    let is_here = |it: &&Value| it["file"].as_str().is_some_and(|it| Path::new(it).file_name() == file.file_name());
    let mut res = Vec::new();
    for bug in json["bugs"].as_array().into_iter().flatten() {
        let values = bug["inputs"].as_array().into_iter().flatten();
        let values: BTreeMap<&str, u32> =
            values.filter_map(|it| Some((it["name"].as_str()?, it["values"][0].as_u64()? as u32))).collect();
        // The innermost call that is in the program: a bug can be in a header.
        let stack = bug["stack"].as_array().into_iter().flatten();
        let place = std::iter::once(&bug["place"]).chain(stack).find(is_here);
        let line = place.and_then(|it| it["line"].as_u64()).ok_or_else(|| format!("a bug without a line: {bug}"))?;
        if bug["possible"] != Value::Bool(true) {
            let value = |name: &str| values.get(name).copied().unwrap_or(0);
            res.push(([value("function"), value("a"), value("b")], Outcome::Fails(line)));
        }
    }
    Ok(res)
}

/// The bugs that are found on all paths at once, and whether there are no others.
fn merged(dialect: &Dialect, file: &Path) -> Result<Found, String> {
    let out = file.with_extension("bmc");
    let mut command = Command::new(env!("CARGO_BIN_EXE_effigy"));
    command.arg("bmc").arg(file).args(["--json", "--max-time", "60s", "--out"]).arg(&out);
    let (code, said, errors) = output(command.args(["--", "-w"]).args(dialect.flags));
    let json: Value = serde_json::from_str(&said).map_err(|_| format!("bmc ends with {code:?}: {errors}"))?;
    let open = |it: &Value| matches!(it["verdict"].as_str(), Some("unknown" | "bounded"));
    let complete = !json["properties"].as_array().into_iter().flatten().any(open);
    let _ = std::fs::remove_dir_all(out);
    Ok(Found { witnessed: bugs(&json, file)?, complete })
}

#[derive(Default, Debug)]
struct Seen {
    functions: usize,
    inputs: usize,
    failing: usize,
    complete: usize,
    /// Decided with all paths merged.
    decided: usize,
}

/// Compares; what differs is told with its line.
fn check(dialect: &Dialect, sources: &[Vec<u8>], file: &Path) -> Result<Seen, String> {
    let text = text(dialect, sources);
    std::fs::write(file, &text).map_err(|it| it.to_string())?;
    let native = native(dialect, file)?;
    let found = explored(dialect, file)?;
    let line = |it: &Outcome| match it {
        Outcome::Fails(at) => text.lines().nth(*at as usize - 1).unwrap_or("").trim().to_owned(),
        Outcome::Returns(_) => String::new(),
    };
    for (input, predicted) in &found.witnessed {
        let real = native.get(input).ok_or_else(|| format!("{input:?} is no input"))?;
        if real != predicted {
            let (here, there) = (line(predicted), line(real));
            return Err(format!("{input:?}: {predicted:?} `{here}` is predicted, natively {real:?} `{there}`"));
        }
    }
    let outcomes = |all: &mut dyn Iterator<Item = (&Input, &Outcome)>| -> BTreeSet<(u32, Outcome)> {
        all.map(|(input, outcome)| (input[0], *outcome)).collect()
    };
    let predicted = outcomes(&mut found.witnessed.iter().map(|it| (&it.0, &it.1)));
    let missed = native.iter().find(|(input, outcome)| !predicted.contains(&(input[0], **outcome)));
    if let (true, Some((input, outcome))) = (found.complete, missed) {
        return Err(format!("{input:?}: natively {outcome:?} `{}`, which is missed", line(outcome)));
    }
    let merged = match dialect.is_merged {
        true => merged(dialect, file)?,
        false => Found { witnessed: Vec::new(), complete: false },
    };
    for (input, predicted) in &merged.witnessed {
        let real = native.get(input).ok_or_else(|| format!("bmc: {input:?} is no input"))?;
        if real != predicted {
            let (here, there) = (line(predicted), line(real));
            return Err(format!("bmc: {input:?}: {predicted:?} `{here}` is predicted, natively {real:?} `{there}`"));
        }
    }
    let predicted: BTreeSet<Outcome> = merged.witnessed.iter().map(|it| it.1).collect();
    let missed = native.iter().find(|it| matches!(it.1, Outcome::Fails(_)) && !predicted.contains(it.1));
    if let (true, Some((input, outcome))) = (merged.complete, missed) {
        return Err(format!("bmc: {input:?}: natively {outcome:?} `{}`, which is missed", line(outcome)));
    }
    Ok(Seen {
        decided: if merged.complete { sources.len() } else { 0 },
        functions: sources.len(),
        inputs: native.len(),
        failing: native.values().filter(|it| matches!(it, Outcome::Fails(_))).count(),
        complete: if found.complete { sources.len() } else { 0 },
    })
}

/// The smallest source found that still differs, in a time that a person waits.
fn shrunk(dialect: &Dialect, mut source: Vec<u8>, file: &Path) -> (Vec<u8>, String) {
    let differs = |it: &Vec<u8>| check(dialect, std::slice::from_ref(it), file).err();
    let Some(mut why) = differs(&source) else { return (source, "only together with its neighbours".to_owned()) };
    let start = std::time::Instant::now();
    let mut size = source.len().div_ceil(2);
    while size > 0 && start.elapsed().as_secs() < number("EFFIGY_SHRINK", 60) {
        let mut at = 2;
        let mut smaller = false;
        while at < source.len() && start.elapsed().as_secs() < number("EFFIGY_SHRINK", 60) {
            let end = (at + size).min(source.len());
            let mut without = source.clone();
            without.drain(at..end);
            let mut zeroed = source.clone();
            zeroed[at..end].fill(0);
            match [without, zeroed].into_iter().filter(|it| *it != source).find_map(|it| Some((differs(&it)?, it))) {
                Some((what, it)) => {
                    smaller |= it.len() < source.len();
                    at += if it.len() < source.len() { 0 } else { size };
                    (source, why) = (it, what);
                }
                None => at += size,
            }
        }
        if !smaller || size > 1 {
            size /= 2;
        }
    }
    (source, why)
}

/// Compares this many random functions with their native runs, times EFFIGY_CASES_TIMES; panics with what differs.
pub(super) fn compare(dialect: &Dialect, usual: u32) {
    let count = u64::from(effigy_programs::cases(usual));
    let first = match effigy_programs::is_campaign() {
        true => u64::from(std::process::id()) << 20,
        false => 1,
    };
    let first = number("EFFIGY_FIRST", first);
    let folder: PathBuf =
        std::env::temp_dir().join(format!("effigy-oracle-{}-{}", dialect.extension, std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (next, results) = (AtomicU64::new(0), Mutex::new((Seen::default(), Vec::new())));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = first + next.fetch_add(BATCH, Ordering::Relaxed);
                    if at >= first + count {
                        return;
                    }
                    let seeds: Vec<u64> = (at..(at + BATCH).min(first + count)).collect();
                    batch(dialect, &seeds, &folder, &results);
                }
            });
        }
    });
    let (seen, failures) = results.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(seen.failing * 10 > seen.inputs && seen.failing * 10 < seen.inputs * 9, "both ends are tried: {seen:?}");
    assert!(seen.complete * 10 >= seen.functions * 9, "most are explored to their end: {seen:?}");
    let decided = !dialect.is_merged || seen.decided * 10 >= seen.functions * 9;
    assert!(decided, "most are decided with all paths merged: {seen:?}");
    let _ = std::fs::remove_dir_all(folder);
}

/// All together; one by one where something differs or is not explored to its end.
fn batch(dialect: &Dialect, seeds: &[u64], folder: &Path, results: &Mutex<(Seen, Vec<String>)>) {
    let sources: Vec<Vec<u8>> = seeds.iter().map(|it| source(*it)).collect();
    let file = folder.join(format!("from{}.{}", seeds[0], dialect.extension));
    let add = |seen: &Seen| {
        let mut results = results.lock().expect("no worker panics");
        results.0.functions += seen.functions;
        results.0.inputs += seen.inputs;
        results.0.failing += seen.failing;
        results.0.complete += seen.complete;
        results.0.decided += seen.decided;
    };
    if let Ok(seen) = check(dialect, &sources, &file)
        && seen.complete == seen.functions
    {
        return add(&seen);
    }
    for (seed, source) in seeds.iter().zip(&sources) {
        let file = folder.join(format!("seed{seed}.{}", dialect.extension));
        match check(dialect, std::slice::from_ref(source), &file) {
            Ok(seen) => add(&seen),
            Err(_) => {
                let (source, why) = shrunk(dialect, source.clone(), &file);
                let text = (dialect.function)("f0", &source).text;
                let failure = format!("EFFIGY_FIRST={seed}: {why}\n{text}");
                results.lock().expect("no worker panics").1.push(failure);
            }
        }
    }
}
